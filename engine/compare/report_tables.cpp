// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/report_tables.h"

#include "engine/base/format.h"
#include "engine/compare/key_effects.h"
#include "engine/experiment/keys.h"
#include "engine/report/comparison_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace accrue {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kDash = "–";

HtmlCell numberCell(const std::string& text, std::optional<double> value)
{
    return { value ? text : kDash, value.value_or(kNone) };
}

HtmlCell valueCell(const RunGroupKey::Value& value)
{
    const std::string text = value.text.empty() ? kDash : value.text;
    return value.number ? HtmlCell(text, *value.number) : HtmlCell(text);
}

HtmlCell runCell(const RunRecord& run, const RunLook& look)
{
    HtmlCell cell(reportName(run), static_cast<double>(numberOf(run.id)));
    cell.isName = true;
    cell.swatch = svgOfSwatch(look);
    return cell;
}

HtmlCell shareCell(double share)
{
    return { shareText(share), share };
}

// Runs that did not come to their end, or that are still on their way, are marked by their state.
std::string stateOf(const RunRecord& run)
{
    return endedEarly(run) && run.early != EarlyEnd::None
        ? Message("report.ended_early", { { "state", Message::plain(conditionText(run)) } }).text()
        : conditionText(run);
}

std::string titleOfStatistic(const MetricInfo& metric, const char* code)
{
    return Message(
        "compare.part_of_a_metric", { { "metric", titleOf(metric) }, { "part", Message(code) } })
        .text();
}

// Of the values that are finite, the best; NaN: there is none.
double bestOf(const std::vector<double>& values, Better better)
{
    double best = kNone;
    for (const double value : values)
        if (std::isfinite(value)
            && (std::isnan(best) || (better == Better::Higher ? value > best : value < best)))
            best = value;
    return best;
}

// The final or the best values of a metric.
struct ResultColumn {
    MetricInfo metric;
    std::string title;
    std::vector<double> values {}; // of each run; NaN: it has none
    double best = kNone;
};

ResultColumn resultColumn(
    const RunComparison::Metric& metric, double MetricSummary::*value, const char* code)
{
    ResultColumn column { metric.info, titleOfStatistic(metric.info, code) };
    for (const auto& summary : metric.values)
        column.values.push_back(summary ? *summary.*value : kNone);
    if (hasBest(metric.info))
        column.best = bestOf(column.values, metric.info.better);
    return column;
}

std::vector<ResultColumn> resultColumns(const RunComparison& comparison)
{
    std::vector<ResultColumn> columns;
    for (const RunComparison::Metric& metric : comparison.metrics) {
        columns.push_back(resultColumn(metric, &MetricSummary::final, "compare.final"));
        if (hasBest(metric.info))
            columns.push_back(resultColumn(metric, &MetricSummary::best, "compare.best"));
    }
    return columns;
}

HtmlCell resultCell(const ResultColumn& column, std::size_t run)
{
    const double value = column.values[run];
    HtmlCell cell(std::isnan(value) ? kDash : metricText(column.metric, value), value);
    cell.isBest = value == column.best;
    return cell;
}

// What a run cost, and where.
void addCost(std::vector<HtmlCell>& row, const RunRecord& run)
{
    row.emplace_back(formatCount(run.step), static_cast<double>(run.step));
    row.push_back(numberCell(formatDuration(run.seconds),
        std::isfinite(run.seconds) ? std::optional(run.seconds) : std::nullopt));
    row.push_back(numberCell(formatRate(run.throughput),
        run.throughput > 0 ? std::optional(run.throughput) : std::nullopt));
    row.push_back(numberCell(formatBytes(run.peakBytes),
        run.peakBytes > 0 ? std::optional(static_cast<double>(run.peakBytes)) : std::nullopt));
    row.emplace_back(run.deviceName.empty() ? run.device : run.deviceName);
}

// As in the form; a key of another program has no label.
std::string titleOfKey(const std::string& key)
{
    const KeyInfo* info = findKey(key);
    return info != nullptr ? labelOf(*info) : key;
}

} // namespace

HtmlTable groupTable(const ReportContent& content, const ReportLooks& looks)
{
    const GroupSummary& summary = content.summary;
    std::vector<std::string> titles = summary.groups.keys;
    for (const Message& title : { Message("report.n"), summary.number.title, Message("report.half"),
             Message("report.notes") })
        titles.push_back(title.text());
    HtmlTable table(titles);
    for (std::size_t i = 0; i < summary.groups.groups.size(); ++i) {
        std::vector<HtmlCell> row;
        for (const auto& value : summary.groups.groups[i].values)
            row.push_back(valueCell(value));
        const MeanInterval& mean = summary.numbers[i].mean;
        row.emplace_back(formatCount(mean.count), static_cast<double>(mean.count));
        row.push_back(numberCell(numberText(summary.number, mean.mean),
            mean.count > 0 ? std::optional(mean.mean) : std::nullopt));
        row.back().isBest = summary.best == i;
        row.push_back(numberCell("± " + halfText(summary.number, mean.half()),
            mean.count > 1 ? std::optional(mean.half()) : std::nullopt));
        row.emplace_back(notesOf(summary.numbers[i]));
        if (looks.byGroup && !row.empty())
            row.front().swatch = svgOfSwatch(looks.ofRuns[summary.groups.groups[i].runs.front()]);
        table.addRow(std::move(row));
    }
    return table;
}

HtmlTable runTable(const ReportContent& content, const ReportLooks& looks)
{
    const std::vector<RunRecord>& runs = content.comparison.runs;
    std::vector<RunComparison::Setting> settings = content.comparison.settings;
    std::erase_if(settings, [](const auto& setting) { return !setting.differs(); });
    std::vector<std::string> titles { Message("report.run").text(),
        Message("report.state").text() };
    for (const auto& setting : settings)
        titles.push_back(titleOfKey(setting.key));
    titles.push_back(Message("report.updates").text());
    titles.push_back(Message("groups.time").text());
    titles.push_back(titleOf(infoOf(MetricId::Throughput)).text());
    titles.push_back(titleOf(infoOf(MetricId::PeakBytes)).text());
    titles.push_back(Message("compare.ran_on").text());
    HtmlTable table(titles);
    const std::vector<RunGroupKey> shown = groupKeysOf(settings);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunRecord& run = runs[i];
        std::vector<HtmlCell> row { runCell(run, looks.ofRuns[i]), stateOf(run) };
        for (const RunGroupKey& key : shown)
            row.push_back(valueCell(key.values[i]));
        addCost(row, run);
        table.addRow(std::move(row));
    }
    return table;
}

HtmlTable resultTable(const ReportContent& content, const ReportLooks& looks)
{
    const std::vector<ResultColumn> columns = resultColumns(content.comparison);
    std::vector<std::string> titles { Message("report.run").text() };
    for (const ResultColumn& column : columns)
        titles.push_back(column.title);
    HtmlTable table(titles);
    for (std::size_t i = 0; i < content.comparison.runs.size(); ++i) {
        std::vector<HtmlCell> row { runCell(content.comparison.runs[i], looks.ofRuns[i]) };
        for (const ResultColumn& column : columns)
            row.push_back(resultCell(column, i));
        table.addRow(std::move(row));
    }
    return table;
}

HtmlTable importanceTable(const ReportContent& content)
{
    std::vector<std::string> titles;
    for (const Message& title : { Message("report.key"), Message("report.explains"),
             Message("report.from"), Message("report.to"), Message("report.n"),
             Message("report.groups"), Message("report.notes") })
        titles.push_back(title.text());
    HtmlTable table(titles);
    for (const KeyImportance& each : content.summary.importance) {
        const OneWayEffect& effect = each.effect;
        table.addRow(
            { each.key, shareCell(effect.omega), shareCell(effect.low), shareCell(effect.high),
                { formatCount(effect.count), static_cast<double>(effect.count) },
                { formatCount(effect.groups), static_cast<double>(effect.groups) },
                confoundingOf(each) });
    }
    return table;
}

} // namespace accrue
