// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_order.h"
#include "ui/models/run_filter.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace accrue {

// The run table as shown: filtered by the search field, without archived runs unless asked, sorted
// by a column; unsorted (column -1) it is live runs first, then newest first. Runs without a value
// come last in either direction.
class RunSortFilterModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit RunSortFilterModel(QObject* parent = nullptr);

    void setFilter(const RunFilter& filter);
    void setArchivedShown(bool shown);
    bool isArchivedShown() const { return m_archivedShown; }
    int archivedCount() const; // in the whole log
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    RunFilter m_filter;
    bool m_archivedShown = false;
    std::optional<RunOrder> m_order; // empty: live first, then newest
};

} // namespace accrue
