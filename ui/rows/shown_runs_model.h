// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_table_model.h"
#include "ui/rows/row_arrangement.h"

#include <QAbstractTableModel>

#include <map>
#include <tuple>
#include <vector>

namespace accrue {

// The run table as shown: filtered by the search field, without archived runs unless requested,
// sorted by a column, and grouped; unsorted (column -1) means live runs first, then newest first.
// Runs without a value come last in both directions. The row of a group precedes its runs, which
// have rows unless it is folded. Selection, scroll position and an open editor survive each change.
// GUI thread.
class ShownRunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    // `runs` is borrowed and outlives this.
    explicit ShownRunsModel(RunTableModel& runs, QObject* parent = nullptr);

    void setFilter(const RunQuery& filter);
    void setArchivedShown(bool shown);
    bool isArchivedShown() const { return m_arrangement.isArchivedShown(); }
    void setGrouping(const RunGrouping& grouping); // all groups are folded
    const RunGrouping& grouping() const { return m_arrangement.grouping(); }

    // In the order of the rows.
    const std::vector<RunId>& matching() const { return m_content.matching; }
    bool isMatching(RunId run) const { return m_content.groupOf.contains(run); }
    int rowOf(RunId run) const; // -1: it does not match, or its group is folded
    bool isGroup(int row) const { return !rowAt(row).run; }
    // The run of that row, or all runs of its group.
    std::vector<RunId> runsAt(int row) const;
    int groupRowOf(RunId run) const; // of its group; -1: that has none
    bool isFolded(int row) const; // a group
    void setFolded(int row, bool folded);
    void foldAll(bool folded);
    void unfold(RunId run); // so that it has a row

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    void refresh(); // after whatever the rows depend on
    void forgetChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles);
    void removeRowsNotIn(const std::map<ShownRow, int>& places);
    void placeRows(const std::map<ShownRow, int>& places);
    void insertRowsOf(const std::vector<ShownRow>& now);

    const ShownRow& rowAt(int row) const
    {
        return m_content.rows.at(static_cast<std::size_t>(row));
    }
    QVariant dataOfGroup(int number, int column, int role) const;
    QVariant cellOf(const std::vector<RunId>& members, int column, int role) const;

    RunTableModel& m_runs;
    RowArrangement m_arrangement;
    ShownContent m_content;
    mutable std::map<std::tuple<int, int, int>, QVariant> m_cells; // of groups: column, role
};

} // namespace accrue
