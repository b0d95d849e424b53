// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/curve_groups.h"

#include "engine/compare/run_groups.h"
#include "engine/experiment/keys.h"
#include "ui/models/format.h"

#include <algorithm>

namespace accrue {

std::vector<std::string> groupKeysFor(const std::string& by)
{
    if (by == grouping::kSeeds || by == grouping::kNone)
        return {}; // all in which the runs differ
    return { by };
}

std::vector<CurveGroup> curveGroups(const std::vector<RunRecord>& runs, const std::string& by)
{
    std::vector<CurveGroup> groups;
    if (by == grouping::kNone) {
        for (std::size_t run = 0; run < runs.size(); ++run)
            groups.push_back({ { run }, {} });
        return groups;
    }
    for (const RunGroup& group : groupRuns(runs, groupKeysFor(by)).groups)
        groups.push_back({ group.runs,
            group.name.empty() ? QString::fromStdString(runs[group.runs.front()].name)
                               : messageText(group.name) });
    std::ranges::sort(groups, {}, [](const CurveGroup& group) { return group.runs.front(); });
    return groups;
}

std::vector<std::string> groupingKeys(const std::vector<RunRecord>& runs)
{
    std::vector<std::string> keys;
    for (const RunGroupKey& key : differingKeys(runs))
        keys.push_back(key.name);
    return keys;
}

QString groupingLabel(const std::string& key)
{
    for (const KeyInfo& info : experimentKeys())
        if (info.key == key || info.filter == key)
            return QString::fromStdString(labelOf(info));
    return QString::fromStdString(key);
}

std::string groupingOf(const std::vector<RunRecord>& runs, const std::string& by)
{
    if (by == grouping::kSeeds)
        return by;
    const std::vector<std::string> keys = groupingKeys(runs);
    return std::ranges::find(keys, by) != keys.end() ? by : grouping::kNone;
}

} // namespace accrue
