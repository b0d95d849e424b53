// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/number_columns.h"

#include "engine/report/comparison_rows.h"
#include "engine/runs/run_keys.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace accrue {
namespace {

using Kind = NumberColumn::Kind;

// Of the record of a run. Other keys of run_keys.h repeat a metric or a setting.
struct KeyOfRecord {
    const char* key;
    Kind kind;
    Message title {}; // empty: runNumber's
};
const std::vector<KeyOfRecord>& keysOfRecords()
{
    static const std::vector<KeyOfRecord> keys {
        { kAccuracyFilter, Kind::Result },
        { kMemoryFilter, Kind::Cost },
        { kTimeFilter, Kind::Cost },
        { "step", Kind::Progress, Message("report.updates") },
        { "epoch", Kind::Progress, Message("explain.epochs") },
        { "samples", Kind::Progress, Message("compare.samples") },
        { "parameters", Kind::Progress, Message("compare.parameters") },
        { "id", Kind::Progress, Message("report.run") },
    };
    return keys;
}

std::optional<double> numberIn(const SettingValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    const auto* real = std::get_if<double>(&value);
    return real != nullptr && std::isfinite(*real) ? std::optional(*real) : std::nullopt;
}

class Columns {
public:
    Columns(const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries)
        : m_runs(runs)
    {
        for (const RunRecord& run : runs)
            m_logged.push_back(&summariesOf(summaries, run.id));
    }

    std::vector<NumberColumn> take()
    {
        for (const KeyOfRecord& each : keysOfRecords())
            addKey(each);
        addMetrics();
        addSettings();
        std::stable_sort(m_columns.begin(), m_columns.end(),
            [](const NumberColumn& one, const NumberColumn& other) {
                return one.kind < other.kind;
            });
        return std::move(m_columns);
    }

private:
    void add(NumberColumn column)
    {
        const bool hasAny = std::any_of(column.values.begin(), column.values.end(),
            [](const auto& value) { return value.has_value(); });
        if (hasAny)
            m_columns.push_back(std::move(column));
    }

    void addRead(RunNumber number, Kind kind)
    {
        NumberColumn column { std::move(number), kind };
        for (std::size_t i = 0; i < m_runs.size(); ++i)
            column.values.push_back(column.number.value(m_runs[i], *m_logged[i]));
        add(std::move(column));
    }

    void addKey(const KeyOfRecord& each)
    {
        RunNumber number = runNumber(each.key);
        if (!each.title.empty())
            number.title = each.title;
        addRead(std::move(number), each.kind);
    }

    void addMetrics()
    {
        std::set<std::string> names;
        std::vector<std::vector<MetricSummary>> all;
        for (const auto* logged : m_logged) {
            all.push_back(*logged);
            for (const MetricSummary& summary : *logged)
                names.insert(summary.metric);
        }
        std::vector<MetricInfo> metrics = metricsBeside(names);
        std::erase_if(
            metrics, [&](const MetricInfo& metric) { return !names.contains(metric.name); });
        std::stable_sort(
            metrics.begin(), metrics.end(), [](const MetricInfo& one, const MetricInfo& other) {
                return one.section < other.section;
            });
        for (const MetricInfo& metric : metrics)
            addMetric(metric, all);
    }

    void addMetric(const MetricInfo& metric, const std::vector<std::vector<MetricSummary>>& logged)
    {
        const bool isResult =
            metric.format == MetricFormat::Number || metric.format == MetricFormat::Share;
        for (const char* statistic : { "final", "best", "min", "max" }) {
            const bool isBest =
                std::string_view(statistic) == (metric.better == Better::Lower ? "min" : "max");
            if (hasBest(metric) ? !isBest : std::string_view(statistic) != "best")
                addRead(runNumber(metric.name + ":" + statistic, logged),
                    isResult ? Kind::Result : Kind::Cost);
        }
    }

    void addSettings()
    {
        std::map<std::string, std::vector<std::optional<double>>> values;
        for (std::size_t i = 0; i < m_runs.size(); ++i)
            addSettingsOf(i, values);
        for (const KeyInfo& key : experimentKeys())
            addSetting(key.key, Message("key." + key.key + ".label", key.label), values);
        for (const std::string& key : keysOfOthers(m_runs))
            addSetting(key, Message::plain(key), values);
    }

    void addSettingsOf(
        std::size_t run, std::map<std::string, std::vector<std::optional<double>>>& values)
    {
        const std::vector<std::string> unread = unreadKeys(m_runs[run]);
        for (const auto& [key, value] : settledSettings(m_runs[run])) {
            const std::optional<double> number = numberIn(value);
            if (!number || std::find(unread.begin(), unread.end(), key) != unread.end())
                continue;
            auto& column = values[keyOf(key)];
            column.resize(m_runs.size());
            column[run] = number;
        }
    }

    // A run of another program may have spelled it by its short name.
    static std::string keyOf(const std::string& written)
    {
        if (findKey(written) == nullptr)
            for (const KeyInfo& key : experimentKeys())
                if (!key.filter.empty() && key.filter == written)
                    return key.key;
        return written;
    }

    void addSetting(const std::string& key, Message title,
        std::map<std::string, std::vector<std::optional<double>>>& values)
    {
        const auto found = values.find(key);
        if (found == values.end())
            return;
        // A script may log a setting of any name, "time" for example.
        const bool isTaken = findNumber(m_columns, key) != nullptr;
        RunNumber number { isTaken ? "setting." + key : key, std::move(title), metricNamed(key) };
        number.value = [key](const RunRecord& run, const auto&) {
            const std::optional<SettingValue> value = settledSetting(run, key);
            return value ? numberIn(*value) : std::nullopt;
        };
        add({ std::move(number), Kind::Setting, std::move(found->second) });
    }

    const std::vector<RunRecord>& m_runs;
    std::vector<const std::vector<MetricSummary>*> m_logged; // of each run
    std::vector<NumberColumn> m_columns;
};

} // namespace

bool NumberColumn::differs() const
{
    const std::optional<double>* first = nullptr;
    for (const std::optional<double>& value : values) {
        if (value && first != nullptr && *value != **first)
            return true;
        if (value)
            first = &value;
    }
    return false;
}

std::vector<NumberColumn> numbersOf(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries)
{
    return Columns(runs, summaries).take();
}

const NumberColumn* findNumber(const std::vector<NumberColumn>& numbers, std::string_view name)
{
    const auto found = std::find_if(numbers.begin(), numbers.end(),
        [&](const NumberColumn& each) { return each.number.name == name; });
    return found != numbers.end() ? &*found : nullptr;
}

const std::vector<MetricSummary>& summariesOf(const std::vector<RunSummaries>& all, RunId run)
{
    static const std::vector<MetricSummary> none;
    const auto found = std::find_if(
        all.begin(), all.end(), [run](const RunSummaries& one) { return one.run == run; });
    return found != all.end() ? found->metrics : none;
}

} // namespace accrue
