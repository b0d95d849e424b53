// SPDX-License-Identifier: Apache-2.0
#include "engine/report/comparison_rows.h"

#include "engine/base/format.h"
#include "engine/base/language.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/runs/run_keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

// This file decides how a comparison is shown, once for the command line and the window: which
// lines there are, the content of each cell, and which cell is marked. Every line has two texts per
// cell: the one for people, rounded and in their language, and the exact one for files.
namespace accrue {

namespace {

using Kind = ComparisonRow::Kind;
using Mark = ComparisonRow::Mark;

constexpr const char* kNone = "–";

bool allEqual(const std::vector<std::string>& values)
{
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

// Nobody chose these threads: they follow the machine and its load.
bool choseThreads(const RunRecord& run)
{
    return hasRecipe(run) && !run.experiment.run.threads && run.threads > 0;
}

ComparisonRow settingRow(const RunComparison::Setting& setting, const std::vector<RunRecord>& runs)
{
    ComparisonRow row;
    row.key = setting.key;
    row.title = Message::plain(setting.key);
    if (const KeyInfo* info = findKey(setting.key))
        row.help = info->help;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto& value = setting.values[i];
        row.exact.push_back(value ? shownSetting(*value) : "");
        const bool chosen = setting.key == key::runThreads && choseThreads(runs[i]);
        row.values.push_back(!value ? kNone
                : chosen
                ? Message("compare.chosen_by_the_program", { { "value", row.exact.back() } }).text()
                : row.exact.back());
    }
    row.marks.assign(runs.size(), Mark::None);
    row.identical = !setting.differs();
    row.unread = !setting.isRead();
    return row;
}

// A fact that is no setting: where a run was trained, and how it ended.
template <typename Shown, typename Exact>
ComparisonRow factRow(
    Message title, const std::vector<RunRecord>& runs, const Shown& shown, const Exact& exact)
{
    ComparisonRow row;
    row.title = std::move(title);
    for (const RunRecord& run : runs) {
        row.values.push_back(shown(run));
        row.exact.push_back(exact(run));
    }
    row.marks.assign(runs.size(), Mark::None);
    row.identical = allEqual(row.values);
    return row;
}

// A run without a finite value ranks below everything.
double rank(double value, Better better)
{
    // Infinity and NaN alike: a loss that diverged is worse than any finite one.
    const double signedValue = better == Better::Higher ? value : -value;
    return std::isfinite(signedValue) ? signedValue : -std::numeric_limits<double>::infinity();
}

struct Statistic {
    Kind kind;
    Message name;
    double MetricSummary::*value;
};

const std::vector<Statistic>& statistics()
{
    static const std::vector<Statistic> all {
        { Kind::Best, Message("compare.best"), &MetricSummary::best },
        { Kind::Final, Message("compare.final"), &MetricSummary::final },
        { Kind::Lowest, Message("compare.lowest"), &MetricSummary::min },
        { Kind::Highest, Message("compare.highest"), &MetricSummary::max },
    };
    return all;
}

Message partOf(Message whole, Message part)
{
    return Message("compare.part_of_a_metric",
        { { "metric", std::move(whole) }, { "part", std::move(part) } });
}

// The lowest loss is the best one, and an accuracy's highest; where no value is better, both
// extremes say something.
bool saysMore(Kind kind, Better better)
{
    switch (kind) {
    case Kind::Best:
        return better != Better::Neither;
    case Kind::Lowest:
        return better != Better::Lower;
    case Kind::Highest:
        return better != Better::Higher;
    default:
        return true;
    }
}

void addSteps(ComparisonRow& row, const RunComparison::Metric& metric)
{
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        const auto& summary = metric.values[i];
        row.steps.push_back(summary ? std::to_string(summary->bestStep) : "");
        if (summary)
            row.values[i] = Message("compare.best_at_step",
                { { "value", row.values[i] }, { "step", summary->bestStep } })
                                .text();
    }
}

ComparisonRow statisticRow(const RunComparison::Metric& metric, const Statistic& statistic)
{
    std::vector<std::optional<double>> numbers;
    for (const auto& summary : metric.values)
        numbers.push_back(summary ? std::optional(*summary.*statistic.value) : std::nullopt);
    ComparisonRow row = resultRow(metric.info, statistic.name, std::move(numbers));
    row.kind = statistic.kind;
    if (row.kind == Kind::Lowest || row.kind == Kind::Highest)
        row.marks.assign(row.marks.size(), Mark::None);
    if (row.kind == Kind::Best) // marked by the values alone: one best value at two steps is one
        addSteps(row, metric);
    row.identical = allEqual(row.values);
    return row;
}

using Bytes = std::vector<std::optional<std::int64_t>>; // nullopt: the run was not metered

// Fewer bytes are better.
ComparisonRow bytesRow(Message title, const Bytes& bytes)
{
    ComparisonRow row;
    row.kind = Kind::Peak;
    row.title = std::move(title);
    row.shownAs = infoOf(MetricId::PeakBytes);
    for (const auto& value : bytes) {
        row.numbers.push_back(value ? std::optional(static_cast<double>(*value)) : std::nullopt);
        row.values.push_back(value ? formatBytes(*value) : kNone);
        row.exact.push_back(value ? std::to_string(*value) : "");
    }
    row.marks = marksOf(row.numbers, row.values, row.shownAs.better);
    row.identical = allEqual(row.values);
    return row;
}

bool anyAboveZero(const Bytes& bytes)
{
    return std::any_of(
        bytes.begin(), bytes.end(), [](const auto& value) { return value.value_or(0) > 0; });
}

// The peaks of evaluations, then the categories of the highest peaks of training.
std::vector<ComparisonRow> peakRows(const RunComparison& comparison)
{
    std::vector<ComparisonRow> rows;
    Bytes bytes;
    for (const RunRecord& run : comparison.runs)
        bytes.push_back(
            run.evaluationPeakBytes > 0 ? std::optional(run.evaluationPeakBytes) : std::nullopt);
    if (anyAboveZero(bytes))
        rows.push_back(bytesRow(evaluationPeak(), bytes));
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        bytes.clear();
        // All zero: the run was not metered. That is shown as a dash, a metered category of 0 bytes
        // as 0.
        for (const CategoryBytes& peak : comparison.highestPeaks)
            bytes.push_back(peak != CategoryBytes {} ? std::optional(peak.at(i)) : std::nullopt);
        if (!anyAboveZero(bytes))
            continue;
        const std::string name = memoryCategoryName(category);
        rows.push_back(bytesRow(partOf(titleOf(infoOf(MetricId::PeakBytes)),
                                    Message(codeOfWord("category", name), name)),
            bytes));
        rows.back().category = category;
        rows.back().key = nameOf(MetricId::PeakBytes);
    }
    return rows;
}

} // namespace

// Values that look alike are marked alike.
std::vector<Mark> marksOf(const std::vector<std::optional<double>>& values,
    const std::vector<std::string>& shown, Better better)
{
    std::vector<Mark> marks(values.size(), Mark::None);
    if (better == Better::Neither)
        return marks;
    std::optional<std::size_t> best;
    std::optional<std::size_t> worst;
    const auto rankOf = [&](std::size_t i) { return rank(*values[i], better); };
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i])
            continue;
        if (!best || rankOf(i) > rankOf(*best))
            best = i;
        if (!worst || rankOf(i) < rankOf(*worst))
            worst = i;
    }
    // A mark states that a difference is visible. Two accuracies that both read 98.71 % would be
    // marked "best" and "worst" for digits that nobody sees.
    if (!best || shown[*best] == shown[*worst])
        return marks;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] && (shown[i] == shown[*best] || shown[i] == shown[*worst]))
            marks[i] = shown[i] == shown[*best] ? Mark::Best : Mark::Worst;
    return marks;
}

ComparisonRow resultRow(
    const MetricInfo& metric, const Message& part, std::vector<std::optional<double>> numbers)
{
    ComparisonRow row;
    row.kind = Kind::Final;
    row.key = metric.name;
    row.title = partOf(titleOf(metric), part);
    row.shownAs = metric;
    for (const auto& number : numbers) {
        row.values.push_back(number ? metricText(metric, *number) : kNone);
        row.exact.push_back(number ? exactNumber(*number) : "");
    }
    row.marks = marksOf(numbers, row.values, metric.better);
    row.identical = allEqual(row.values);
    row.numbers = std::move(numbers);
    return row;
}

std::string codeOfWord(const std::string& table, std::string word)
{
    std::replace(word.begin(), word.end(), ' ', '_');
    return table + "." + word + ".name";
}

Message titleOf(const MetricInfo& metric)
{
    // Another program may have logged a metric of its own, which has no translation.
    return findMetric(metric.name) == nullptr
        ? Message::plain(metric.title)
        : Message("metric." + metric.name + ".title", metric.title);
}

Message evaluationPeak()
{
    return Message("compare.evaluation_peak");
}

std::string categoryText(MemoryCategory category)
{
    const std::string name = memoryCategoryName(category);
    return translated(codeOfWord("category", name), name);
}

std::string ownerText(const std::string& owner)
{
    return translated(codeOfWord("owner", owner), owner);
}

std::string phaseText(MemoryPhase phase)
{
    const std::string name = nameOf(phase);
    return translated(codeOfWord("phase", name), name);
}

std::string metricText(const MetricInfo& metric, double value)
{
    if (!std::isfinite(value))
        return formatNumber(value);
    switch (metric.format) {
    case MetricFormat::Share:
        return formatPercent(value);
    case MetricFormat::Bytes:
        return formatBytes(std::llround(value));
    case MetricFormat::Rate:
        return formatRate(value);
    case MetricFormat::Milliseconds:
    case MetricFormat::Number:
        break;
    }
    return formatNumber(value) + (metric.unit.empty() ? "" : " " + metric.unit);
}

std::string textOf(RunSource source)
{
    // In the order of RunSource.
    static constexpr std::array kWords { "Accrue", "a script", "TensorBoard", "a CSV file" };
    return translated(codeOfWord("source", std::string(nameOf(source))),
        kWords.at(static_cast<std::size_t>(source)));
}

std::string conditionText(const RunRecord& run)
{
    return translated(codeOfWord("state", conditionName(run)), conditionOf(run));
}

std::vector<ComparisonRow> settingRows(const RunComparison& comparison)
{
    const std::vector<RunRecord>& runs = comparison.runs;
    std::vector<ComparisonRow> rows;
    if (runs.empty())
        return rows;
    for (const RunComparison::Setting& setting : comparison.settings)
        rows.push_back(settingRow(setting, runs));
    const auto deviceName = [](const RunRecord& run) { return run.deviceName; };
    const auto revision = [](const RunRecord& run) { return run.codeRevision; };
    rows.push_back(factRow(Message("compare.ran_on"), runs, deviceName, deviceName));
    rows.push_back(factRow(
        Message("compare.parameters"), runs,
        [](const RunRecord& run) { return hasRecipe(run) ? formatCount(run.parameters) : kNone; },
        [](const RunRecord& run) {
            return hasRecipe(run) ? std::to_string(run.parameters) : std::string();
        }));
    rows.push_back(factRow(Message("compare.code"), runs, revision, revision));
    rows.push_back(factRow(Message("compare.outcome"), runs, conditionText, conditionOf));
    return rows;
}

void putResultsFirst(RunComparison& comparison)
{
    // Stable, so that a section retains the order of the table of metrics.
    std::stable_sort(comparison.metrics.begin(), comparison.metrics.end(),
        [](const auto& a, const auto& b) { return a.info.section < b.info.section; });
}

std::vector<ComparisonRow> metricRows(const RunComparison& comparison)
{
    std::vector<ComparisonRow> rows;
    std::vector<ComparisonRow> peaks = peakRows(comparison);
    const auto addPeaks = [&] {
        std::move(peaks.begin(), peaks.end(), std::back_inserter(rows));
        peaks.clear();
    };
    for (const RunComparison::Metric& metric : comparison.metrics) {
        for (const Statistic& statistic : statistics())
            if (saysMore(statistic.kind, metric.info.better))
                rows.push_back(statisticRow(metric, statistic));
        // Directly after the metric that they explain.
        if (metric.info.id == MetricId::PeakBytes)
            addPeaks();
    }
    addPeaks(); // evaluations may have been metered although no window was finished
    return rows;
}

} // namespace accrue
