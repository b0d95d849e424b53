// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_order.h"
#include "engine/runs/run_query.h"
#include "ui/models/run_table_model.h"
#include "ui/rows/run_grouping.h"

#include <QAbstractTableModel>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
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
    void setGrouping(const RunGrouping& grouping); // all groups are folded
    const RunGrouping& grouping() const { return m_grouping; }

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
    struct Row {
        std::optional<RunId> run; // empty: a group
        int group = 0; // of a run, only if the group has a row; 0: none
        friend bool operator==(const Row&, const Row&) = default;
        friend auto operator<=>(const Row&, const Row&) = default;
    };
    struct Group {
        std::vector<RunId> members; // in the order of the rows
        std::map<std::pair<int, int>, QVariant> cells {}; // by column and role, computed once
    };

    struct Content { // computed as a whole
        std::vector<Row> rows;
        std::vector<RunId> matching; // in the order of the rows
        std::unordered_map<RunId, int> groupOf; // of matching runs; 0 without a row of the group
        std::unordered_map<int, Group> groups; // that have a row
    };

    void refresh(); // after whatever the rows depend on
    void forgetChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles);
    std::vector<const RunRecord*> ordered() const;
    int groupOf(const RunRecord& run);
    void orderGroups(std::vector<int>& groups, const Content& content) const;
    std::vector<int> assign(const std::vector<const RunRecord*>& runs, Content& content);
    void addRowsOf(int group, Content& content) const;
    Content contentNow();
    void removeRowsNotIn(const std::map<Row, int>& places);
    void moveRows(const std::map<Row, int>& places);
    void insertRowsOf(const std::vector<Row>& now);

    const Row& rowAt(int row) const { return m_content.rows.at(static_cast<std::size_t>(row)); }
    QVariant dataOfGroup(const Row& row, int column, int role) const;
    QVariant cellOf(const Group& group, int column, int role) const;
    QString countsOf(const Group& group) const;
    QString variantOf(const Group& group) const;
    Qt::CheckState checkOf(const Group& group) const;
    void checkGroup(const Group& group, bool checked);

    RunTableModel& m_runs;
    RunQuery m_filter;
    bool m_archivedShown = false;
    std::optional<RunOrder> m_order; // empty: live first, then newest
    int m_column = -1; // that m_order is of
    bool m_rising = true;
    RunGrouping m_grouping;
    mutable Content m_content; // cells of groups are computed when they are painted
    std::unordered_map<std::string, int> m_numbers; // of groups, from 1, by RunGrouping::groupOf
    std::unordered_map<RunId, int> m_known; // the groups of runs that have not changed since
    std::unordered_set<int> m_unfolded;
};

} // namespace accrue
