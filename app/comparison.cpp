// SPDX-License-Identifier: Apache-2.0
#include "app/comparison.h"

#include "engine/experiment/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace accrue {

namespace {

bool differ(const std::vector<SettingValue>& values)
{
    return std::any_of(values.begin(), values.end(),
        [&](const SettingValue& value) { return value != values.front(); });
}

// `threads = auto` takes what the machine has, and the number of threads changes the results.
Settings usedSettings(const RunRecord& run)
{
    Settings settings = settingsOf(run.experiment);
    for (auto& [key, value] : settings)
        if (key == "run.threads" && run.threads > 0)
            value = std::int64_t { run.threads };
    return settings;
}

std::vector<Comparison::Setting> differingSettings(const std::vector<RunRecord>& runs)
{
    std::vector<Settings> all;
    all.reserve(runs.size());
    for (const RunRecord& run : runs)
        all.push_back(usedSettings(run));
    std::vector<Comparison::Setting> differing;
    for (std::size_t key = 0; key < all.front().size(); ++key) {
        Comparison::Setting setting { all.front()[key].first, {} };
        for (const Settings& settings : all)
            setting.values.push_back(settings[key].second);
        if (setting.key != "name" && differ(setting.values))
            differing.push_back(std::move(setting));
    }
    return differing;
}

std::optional<MetricSummary> find(
    const std::vector<MetricSummary>& summaries, const std::string& metric)
{
    for (const MetricSummary& summary : summaries)
        if (summary.metric == metric)
            return summary;
    return std::nullopt;
}

} // namespace

Comparison compareRuns(RunLogReader& log, const std::vector<RunId>& ids)
{
    Comparison comparison;
    std::vector<std::vector<MetricSummary>> summaries;
    for (const RunId id : ids) {
        comparison.runs.push_back(log.run(id));
        summaries.push_back(log.summaries(id));
    }
    comparison.differing = differingSettings(comparison.runs);
    for (const MetricInfo& info : metrics()) {
        Comparison::Metric metric { info, {} };
        for (const std::vector<MetricSummary>& ofRun : summaries)
            metric.values.push_back(find(ofRun, info.name));
        const bool any = std::any_of(metric.values.begin(), metric.values.end(),
            [](const auto& value) { return value.has_value(); });
        if (any)
            comparison.metrics.push_back(std::move(metric));
    }
    if (ids.size() == 2)
        comparison.equivalence = equivalenceOf(log, ids[0], ids[1]);
    return comparison;
}

std::string metricText(const MetricInfo& metric, double value)
{
    if (!std::isfinite(value))
        return formatNumber(value);
    if (metric.unit == "bytes")
        return formatBytes(std::llround(value));
    if (metric.unit == "samples/s")
        return formatRate(value);
    const bool share = metric.name.find("accuracy") != std::string::npos;
    if (share)
        return formatPercent(value);
    return formatNumber(value) + (metric.unit.empty() ? "" : " " + metric.unit);
}

bool hasBest(const MetricInfo& metric)
{
    constexpr std::array<std::string_view, 7> kWithout { "learning_rate", "gradient_norm",
        "data_ms", "forward_ms", "backward_ms", "optimizer_ms", "peak_bytes" };
    return std::find(kWithout.begin(), kWithout.end(), metric.name) == kWithout.end();
}

} // namespace accrue
