// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_order.h"
#include "engine/runs/run_query.h"

#include <QSortFilterProxyModel>

#include <optional>

namespace accrue {

// The run table as shown: filtered by the search field, without archived runs unless requested,
// sorted by a column; unsorted (column -1) means live runs first, then newest first. Runs without a
// value come last in both directions.
class RunSortFilterModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit RunSortFilterModel(QObject* parent = nullptr);

    void setFilter(const RunQuery& filter);
    void setArchivedShown(bool shown);
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    RunQuery m_filter;
    bool m_archivedShown = false;
    std::optional<RunOrder> m_order; // empty: live first, then newest
};

} // namespace accrue
