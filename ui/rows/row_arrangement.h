// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_order.h"
#include "engine/runs/run_query.h"
#include "ui/rows/run_grouping.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace accrue {

class RunTableModel;

// A row of the table: a run, or a group of runs, which has a number from 1.
struct ShownRow {
    std::optional<RunId> run; // empty: a group
    int group = 0; // of a run, only if the group has a row; 0: none
    friend bool operator==(const ShownRow&, const ShownRow&) = default;
    // clang-tidy mistakes its 0 for a pointer. NOLINTNEXTLINE(modernize-use-nullptr)
    friend auto operator<=>(const ShownRow&, const ShownRow&) = default;
};

struct ShownContent {
    std::vector<ShownRow> rows;
    std::vector<RunId> matching; // in the order of the rows
    std::unordered_map<RunId, int> groupOf; // of matching runs; 0 without a row of the group
    std::unordered_map<int, std::vector<RunId>> groups; // that have a row, in the order of the rows
};

// Which runs have rows, in which order and in which groups. Groups keep their numbers until another
// grouping is set. GUI thread.
class RowArrangement {
public:
    void setFilter(const RunQuery& filter) { m_filter = filter; }
    void setArchivedShown(bool shown) { m_archivedShown = shown; }
    bool isArchivedShown() const { return m_archivedShown; }
    void setGrouping(const RunGrouping& grouping); // all groups are folded
    const RunGrouping& grouping() const { return m_grouping; }
    // `key`: of run_keys.h or of a recipe; empty: live runs first, then the newest.
    void sortBy(int column, const std::string& key, bool rising);
    int column() const { return m_column; }
    bool isFolded(int group) const { return !m_unfolded.contains(group); }
    void setFolded(int group, bool folded);
    void forget(RunId run) { m_known.erase(run); } // it has changed

    ShownContent contentOf(const RunTableModel& model);

private:
    std::vector<const RunRecord*> ordered(const RunTableModel& model) const;
    int groupOf(const RunRecord& run);
    void orderGroups(
        std::vector<int>& groups, const ShownContent& content, const RunTableModel& model) const;
    std::vector<int> assign(const std::vector<const RunRecord*>& runs, ShownContent& content);
    void addRowsOf(int group, ShownContent& content) const;

    RunQuery m_filter;
    bool m_archivedShown = false;
    std::optional<RunOrder> m_order; // empty: live first, then newest
    int m_column = -1; // that m_order is of
    bool m_rising = true;
    RunGrouping m_grouping;
    std::unordered_map<std::string, int> m_numbers; // of groups, by RunGrouping::groupOf
    std::unordered_map<RunId, int> m_known; // the groups of runs that have not changed since
    std::unordered_set<int> m_unfolded;
};

} // namespace accrue
