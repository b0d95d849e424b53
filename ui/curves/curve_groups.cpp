// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/curve_groups.h"

#include "engine/experiment/key_names.h"
#include "engine/report/run_comparison.h"
#include "engine/runs/settled_settings.h"
#include "ui/models/key_words.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <map>
#include <utility>

namespace accrue {

namespace {

std::string textOf(const std::optional<SettingValue>& value)
{
    return value ? settingText(*value) : std::string();
}

bool wereAskedForSameThreads(const std::vector<RunRecord>& runs)
{
    return std::ranges::all_of(runs, [&runs](const RunRecord& run) {
        return run.experiment.run.threads == runs.front().experiment.run.threads;
    });
}

// The settings in which the runs differ. A seed repeats a run instead of changing it, and threads
// that the program chose follow the machine.
std::vector<RunComparison::Setting> changedSettings(const std::vector<RunRecord>& runs)
{
    std::vector<RunComparison::Setting> settings = compareRuns(runs, {}).settings;
    const bool sameThreads = wereAskedForSameThreads(runs);
    std::erase_if(settings, [sameThreads](const RunComparison::Setting& setting) {
        return !setting.differs() || setting.key == key::runSeed
            || (sameThreads && setting.key == key::runThreads);
    });
    return settings;
}

// Runs with the same text are a group.
std::vector<std::string> identitiesOf(const std::vector<RunRecord>& runs, const std::string& by)
{
    std::vector<std::string> identities(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (by == grouping::kNone)
            identities[i] = std::to_string(i);
        else if (by != grouping::kSeeds)
            identities[i] = textOf(settledSetting(runs[i], by));
    if (by != grouping::kSeeds)
        return identities;
    for (const RunComparison::Setting& setting : changedSettings(runs))
        for (std::size_t i = 0; i < runs.size(); ++i)
            identities[i] += setting.key + '=' + textOf(setting.values[i]) + '\n';
    return identities;
}

// The settings of the groups' first runs, without their seeds.
std::vector<std::string> settingsOfGroups(
    const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups)
{
    std::vector<RunRecord> first;
    for (const CurveGroup& group : groups) {
        first.push_back(runs[group.runs.front()]);
        first.back().experiment.run.seed = 0;
    }
    return distinguishingSettings(first);
}

void nameGroups(
    std::vector<CurveGroup>& groups, const std::vector<RunRecord>& runs, const std::string& by)
{
    const std::vector<std::string> settings = settingsOfGroups(runs, groups);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const RunRecord& first = runs[groups[i].runs.front()];
        if (by != grouping::kSeeds)
            groups[i].title = QStringLiteral("%1 = %2").arg(keyLabel(by),
                settingOf(first, by).isEmpty() ? QStringLiteral("–") : settingOf(first, by));
        else
            groups[i].title =
                QString::fromStdString(settings[i].empty() ? first.name : settings[i]);
    }
}

} // namespace

std::vector<CurveGroup> curveGroups(const std::vector<RunRecord>& runs, const std::string& by)
{
    std::vector<CurveGroup> groups;
    std::map<std::string, std::size_t> places;
    const std::vector<std::string> identities = identitiesOf(runs, by);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto [place, isNew] = places.try_emplace(identities[i], groups.size());
        if (isNew)
            groups.emplace_back();
        groups[place->second].runs.push_back(i);
    }
    if (by != grouping::kNone)
        nameGroups(groups, runs, by);
    return groups;
}

std::vector<std::string> groupingKeys(const std::vector<RunRecord>& runs)
{
    std::vector<std::string> keys;
    for (const RunComparison::Setting& setting : changedSettings(runs))
        keys.push_back(setting.key);
    return keys;
}

} // namespace accrue
