// SPDX-License-Identifier: Apache-2.0
#include "engine/report/run_comparison.h"

#include "engine/base/sentences.h"
#include "engine/events/event_json.h"
#include "engine/events/json_list.h"
#include "engine/events/json_value.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/run_name.h"
#include "engine/experiment/validation.h"
#include "engine/runs/run_json.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostDifferences = 4; // beside a name

using Setting = RunComparison::Setting;

// A key that a run does not read has no value: a beta1 that was changed under Adam changes nothing
// once SGD is chosen, and would otherwise look like the cause of another result.
std::vector<Setting> settingsSideBySide(const std::vector<RunRecord>& runs)
{
    std::vector<Setting> rows;
    for (const KeyInfo& key : experimentKeys())
        rows.push_back({ key.key, {} });
    for (const std::string& key : keysOfOthers(runs))
        rows.push_back({ key, {} });
    for (const RunRecord& run : runs) {
        const std::vector<std::string> unread = unreadKeys(run);
        for (Setting& row : rows) {
            const bool isRead = std::find(unread.begin(), unread.end(), row.key) == unread.end();
            row.values.push_back(isRead ? settledSetting(run, row.key) : std::nullopt);
        }
    }
    // Names are the titles of the runs, and differ between any two of them.
    std::erase_if(rows, [](const Setting& row) { return row.key == "name"; });
    return rows;
}

const RunSummaries& summariesOf(const std::vector<RunSummaries>& all, RunId run)
{
    static const RunSummaries none;
    const auto found = std::find_if(
        all.begin(), all.end(), [run](const RunSummaries& one) { return one.run == run; });
    return found != all.end() ? *found : none;
}

std::optional<MetricSummary> summaryOf(const RunSummaries& summaries, const std::string& metric)
{
    for (const MetricSummary& summary : summaries.metrics)
        if (summary.metric == metric)
            return summary;
    return std::nullopt;
}

std::vector<RunComparison::Metric> metricsSideBySide(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& all)
{
    // A metric is a line if one run has it; the others then have an empty cell.
    std::set<std::string> names;
    for (const RunSummaries& summaries : all)
        for (const MetricSummary& summary : summaries.metrics)
            names.insert(summary.metric);
    std::vector<RunComparison::Metric> rows;
    // Names that the table lacks come from another program, or from a newer one.
    for (const MetricInfo& info : metricsBeside(names)) {
        RunComparison::Metric row { info, {} };
        for (const RunRecord& run : runs)
            row.values.push_back(summaryOf(summariesOf(all, run.id), info.name));
        if (std::any_of(row.values.begin(), row.values.end(), [](const auto& one) { return one; }))
            rows.push_back(std::move(row));
    }
    return rows;
}

// Those that distinguish the runs. N follows from B and b, so it is left out where B is named.
std::vector<Setting> distinguishing(const std::vector<RunRecord>& runs)
{
    std::vector<Setting> settings = settingsSideBySide(runs);
    std::erase_if(settings, [](const Setting& each) { return !each.differs(); });
    const auto has = [&](const char* key) {
        return std::any_of(
            settings.begin(), settings.end(), [&](const Setting& each) { return each.key == key; });
    };
    if (has(key::batchEffective))
        std::erase_if(settings, [](const Setting& each) { return each.key == key::batchSteps; });
    return settings;
}

// Threads that no recipe sets follow the machine and its load.
bool threadsWereAskedAlike(const std::vector<RunRecord>& runs)
{
    return std::all_of(runs.begin(), runs.end(), [&](const RunRecord& run) {
        return run.experiment.run.threads == runs.front().experiment.run.threads;
    });
}

void leaveOutThreads(std::vector<Setting>& settings)
{
    std::erase_if(settings, [](const Setting& each) { return each.key == key::runThreads; });
}

// The settings that the `run`-th run reads.
std::vector<std::string> shortSettings(const std::vector<Setting>& settings, std::size_t run)
{
    std::vector<std::string> texts;
    for (const Setting& each : settings)
        if (each.values[run])
            texts.push_back(shortSetting(each.key, *each.values[run]));
    return texts;
}

Json jsonOfSetting(const Setting& setting)
{
    const auto valueOrNull = [](const auto& value) { return value ? jsonOf(*value) : Json(); };
    return { { "key", setting.key }, { "values", jsonList(setting.values, valueOrNull) } };
}

Json jsonOfMetric(const RunComparison::Metric& metric)
{
    Json row { { "metric", metric.info.name }, { "final", Json::array() },
        { "best", Json::array() }, { "best_step", Json::array() } };
    for (const auto& value : metric.values) {
        const bool best = value && hasBest(metric.info);
        row["final"].push_back(value ? jsonOf(value->final) : Json());
        row["best"].push_back(best ? jsonOf(value->best) : Json());
        row["best_step"].push_back(best ? Json(value->bestStep) : Json());
    }
    return row;
}

Json jsonOfDifference(const LossDifference& difference)
{
    return { { "greatest_loss_difference", jsonOf(difference.greatest) },
        { "step", difference.step == 0 ? Json() : Json(difference.step) },
        { "updates", difference.updates } };
}

} // namespace

bool RunComparison::Setting::differs() const
{
    // Runs that do not read the setting are skipped: nothing about it can differ from them.
    const auto first = std::find_if(
        values.begin(), values.end(), [](const auto& value) { return value.has_value(); });
    return std::any_of(
        first, values.end(), [&](const auto& value) { return value && *value != **first; });
}

bool RunComparison::Setting::isRead() const
{
    return std::any_of(
        values.begin(), values.end(), [](const auto& value) { return value.has_value(); });
}

RunComparison compareRuns(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries)
{
    RunComparison comparison;
    comparison.runs = runs;
    comparison.settings = settingsSideBySide(runs);
    comparison.metrics = metricsSideBySide(runs, summaries);
    for (const RunRecord& run : runs)
        comparison.highestPeaks.push_back(summariesOf(summaries, run.id).highestPeak);
    return comparison;
}

RunComparison compareRuns(RunLogReader& log, const std::vector<RunId>& ids)
{
    std::vector<RunRecord> runs;
    std::vector<RunSummaries> summaries;
    for (const RunId id : ids) {
        runs.push_back(log.run(id));
        summaries.push_back({ id, log.summaries(id), {} });
    }
    RunComparison comparison = compareRuns(runs, summaries);
    if (ids.size() == 2)
        comparison.equivalence = equivalenceOf(log, ids[0], ids[1]);
    return comparison;
}

Json jsonOf(const Equivalence& equivalence)
{
    return { { "verdict", nameOf(equivalence.verdict) },
        { "first", jsonOfDifference(equivalence.first) },
        { "all", jsonOfDifference(equivalence.all) },
        { "sentence", equivalence.sentence.english() } };
}

Json jsonOf(const RunComparison& comparison)
{
    const auto jsonOfRun = [](const RunRecord& run) { return jsonOf(run); };
    std::vector<Setting> differing = comparison.settings;
    std::erase_if(differing, [](const Setting& each) { return !each.differs(); });
    return { { "runs", jsonList(comparison.runs, jsonOfRun) },
        { "settings", jsonList(differing, jsonOfSetting) },
        { "metrics", jsonList(comparison.metrics, jsonOfMetric) },
        { "equivalence", comparison.equivalence ? jsonOf(*comparison.equivalence) : Json() } };
}

std::vector<std::string> distinguishingSettings(const std::vector<RunRecord>& runs)
{
    std::vector<Setting> settings = distinguishing(runs);
    // If threads are the only difference, they are named after all: otherwise two names would be
    // equal.
    if (settings.size() > 1 && threadsWereAskedAlike(runs))
        leaveOutThreads(settings);
    std::vector<std::string> texts;
    for (std::size_t run = 0; run < runs.size(); ++run)
        texts.push_back(commaList(shortSettings(settings, run)).english());
    return texts;
}

std::string differenceFrom(const RunRecord& first, const RunRecord& run)
{
    const std::vector<RunRecord> both { run, first };
    std::vector<Setting> settings = distinguishing(both);
    if (threadsWereAskedAlike(both))
        leaveOutThreads(settings);
    std::vector<std::string> texts = shortSettings(settings, 0);
    if (texts.size() > kMostDifferences) {
        texts.resize(kMostDifferences);
        texts.emplace_back("…");
    }
    return commaList(texts).english();
}

} // namespace accrue
