// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/row_arrangement.h"

#include "ui/models/run_table_model.h"
#include "ui/rows/group_cells.h"

#include <algorithm>
#include <utility>

namespace accrue {

void RowArrangement::setGrouping(const RunGrouping& grouping)
{
    m_grouping = grouping;
    m_numbers.clear();
    m_known.clear();
    m_unfolded.clear();
}

void RowArrangement::sortBy(int column, const std::string& key, bool rising)
{
    m_column = column;
    m_rising = rising;
    m_order.reset();
    if (!key.empty())
        m_order.emplace(key, rising, std::vector { key }); // also of other programs
}

void RowArrangement::setFolded(int group, bool folded)
{
    if (folded)
        m_unfolded.erase(group);
    else
        m_unfolded.insert(group);
}

// Without a column, a live run is above newer ones that have ended: it is what users look for
// first.
std::vector<const RunRecord*> RowArrangement::ordered(const RunTableModel& model) const
{
    std::vector<const RunRecord*> runs;
    for (int row = 0; row < model.rowCount(); ++row)
        if (const RunRecord& run = model.run(row);
            (m_archivedShown || !run.archived) && m_filter.matches(run))
            runs.push_back(&run);
    if (m_order)
        m_order->sort(runs);
    else
        std::stable_sort(
            runs.begin(), runs.end(), [](const RunRecord* first, const RunRecord* second) {
                return std::pair(isLive(*first), first->id)
                    > std::pair(isLive(*second), second->id);
            });
    return runs;
}

int RowArrangement::groupOf(const RunRecord& run)
{
    const auto [found, isNew] = m_known.try_emplace(run.id);
    if (isNew) {
        const int next = static_cast<int>(m_numbers.size()) + 1;
        found->second = m_numbers.try_emplace(m_grouping.groupOf(run), next).first->second;
    }
    return found->second;
}

// By their mean, if the table is sorted by numbers; otherwise as their first runs are. Groups
// without a value come last, as runs do.
void RowArrangement::orderGroups(
    std::vector<int>& groups, const ShownContent& content, const RunTableModel& model) const
{
    if (!m_order)
        return;
    std::unordered_map<int, std::optional<double>> means;
    for (const int group : groups)
        means[group] = groupMean(model, content.groups.at(group), m_column);
    std::stable_sort(groups.begin(), groups.end(), [&](int first, int second) {
        const std::optional<double>& a = means[first];
        const std::optional<double>& b = means[second];
        if (!a || !b)
            return a.has_value() && !b;
        return m_rising ? *a < *b : *b < *a;
    });
}

// Into groups; returns these in the order of their first runs.
std::vector<int> RowArrangement::assign(
    const std::vector<const RunRecord*>& runs, ShownContent& content)
{
    std::vector<int> groups;
    for (const RunRecord* run : runs) {
        int& group = content.groupOf[run->id];
        if (!m_grouping.isOn())
            continue;
        group = groupOf(*run);
        std::vector<RunId>& all = content.groups[group];
        if (all.empty())
            groups.push_back(group);
        all.push_back(run->id);
    }
    return groups;
}

void RowArrangement::addRowsOf(int group, ShownContent& content) const
{
    const std::vector<RunId> members = content.groups.at(group);
    content.matching.insert(content.matching.end(), members.begin(), members.end());
    if (members.size() == 1 && !m_grouping.showsSingles()) {
        content.groups.erase(group);
        content.groupOf[members.front()] = 0;
        content.rows.push_back({ members.front() });
        return;
    }
    content.rows.push_back({ std::nullopt, group });
    if (m_unfolded.contains(group))
        for (const RunId run : members)
            content.rows.push_back({ run, group });
}

ShownContent RowArrangement::contentOf(const RunTableModel& model)
{
    const std::vector<const RunRecord*> runs = ordered(model);
    ShownContent content;
    std::vector<int> groups = assign(runs, content);
    orderGroups(groups, content, model);
    for (const int group : groups)
        addRowsOf(group, content);
    if (m_grouping.isOn())
        return content;
    for (const RunRecord* run : runs) {
        content.matching.push_back(run->id);
        content.rows.push_back({ run->id });
    }
    return content;
}

} // namespace accrue
