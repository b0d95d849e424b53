// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/report_content.h"

#include "engine/base/format.h"
#include "engine/compare/group_comparison.h"
#include "engine/insight/mean_interval.h"
#include "engine/report/comparison_rows.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace accrue {
namespace {

// Columns of a curve: fewer of many runs, so that a browser still opens the page.
int bucketsFor(std::size_t runs)
{
    constexpr std::size_t kAll = 12'000;
    return static_cast<int>(
        std::clamp<std::size_t>(kAll / std::max<std::size_t>(runs, 1), 24, 300));
}

bool hasCurve(const ReportCurves& curves)
{
    return std::any_of(curves.ofRuns.begin(), curves.ofRuns.end(),
        [](const std::vector<SeriesPoint>& points) { return points.size() > 1; });
}

std::int64_t nowMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

bool suitsLogarithm(const ReportCurves& curves)
{
    constexpr double kFar = 20;
    double least = INFINITY;
    double most = 0;
    for (const auto& points : curves.ofRuns)
        for (const SeriesPoint& point : points) {
            if (!std::isfinite(point.y))
                continue;
            if (point.y <= 0)
                return false;
            least = std::min(least, point.y);
            most = std::max(most, point.y);
        }
    return curves.metric.better == Better::Lower && curves.metric.format == MetricFormat::Number
        && most > kFar * least;
}

// The mean of a group where all of its runs that have the metric have a value.
ChartLine meanOf(
    const ReportCurves& curves, const RunGroup& group, const std::vector<RunRecord>& runs)
{
    std::map<double, std::vector<double>> at;
    std::size_t count = 0;
    for (const std::size_t run : group.runs) {
        if (!countsInGroup(runs[run]) || curves.ofRuns[run].empty())
            continue;
        ++count;
        for (const SeriesPoint& point : curves.ofRuns[run])
            at[point.x].push_back(point.y);
    }
    ChartLine line { group.name.text() };
    for (const auto& [x, values] : at) {
        const MeanInterval mean = meanInterval(values);
        if (count < 2 || mean.count != static_cast<std::int64_t>(count))
            continue;
        line.points.push_back({ x, mean.mean });
        line.band.push_back({ x, mean.low, mean.high });
    }
    return line;
}

// Steps of which every run has its own, such as those of updates, are noise around the same mean.
bool hasMeans(const MetricInfo& metric)
{
    return metric.section == MetricSection::Evaluation || metric.section == MetricSection::Epoch;
}

void addMeans(ChartPanel& panel, const ReportCurves& curves, const ReportContent& content,
    const ReportLooks& looks)
{
    for (const RunGroup& group : content.summary.groups.groups) {
        ChartLine line = meanOf(curves, group, content.comparison.runs);
        if (line.points.size() < 2)
            continue;
        line.look = looks.ofRuns[group.runs.front()];
        for (const std::size_t run : group.runs)
            panel.lines[run].isFaint = true;
        panel.lines.push_back(std::move(line));
    }
}

} // namespace

ReportContent readReport(RunLogReader& log, const std::vector<RunRecord>& runs,
    const SummaryRequest& request, const ReportProgress& progress)
{
    std::vector<RunSummaries> summaries;
    summaries.reserve(runs.size());
    for (const RunRecord& run : runs)
        summaries.push_back({ run.id, log.summaries(run.id), {} });
    ReportContent content { compareRuns(runs, summaries), summarize(runs, summaries, request), {},
        log.file().string(), nowMs() };
    if (runs.size() == 2)
        content.comparison.equivalence = equivalenceOf(log, runs[0].id, runs[1].id);
    putResultsFirst(content.comparison);
    const auto& metrics = content.comparison.metrics;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        if (progress && !progress(static_cast<double>(i) / static_cast<double>(metrics.size())))
            return content;
        ReportCurves curves { metrics[i].info, {} };
        for (const RunRecord& run : runs)
            curves.ofRuns.push_back(
                log.thinned(run.id, metrics[i].info.name, Axis::Step, bucketsFor(runs.size())));
        if (hasCurve(curves))
            content.curves.push_back(std::move(curves));
    }
    return content;
}

ReportLooks reportLooks(const ReportContent& content)
{
    const std::vector<RunGroup>& groups = content.summary.groups.groups;
    const std::vector<RunRecord>& runs = content.comparison.runs;
    ReportLooks looks;
    looks.groupOf.resize(runs.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
        looks.byGroup = looks.byGroup || (groups.size() > 1 && groups[group].runs.size() > 1);
        for (const std::size_t run : groups[group].runs)
            looks.groupOf[run] = group;
    }
    std::vector<RunId> ids;
    ids.reserve(runs.size());
    for (const RunRecord& run : runs)
        ids.push_back(run.id);
    looks.ofRuns = looksOf(ids);
    if (looks.byGroup)
        for (std::size_t run = 0; run < runs.size(); ++run)
            looks.ofRuns[run] = lookOfSeries(looks.groupOf[run]);
    return looks;
}

ChartPanel chartOf(
    const ReportCurves& curves, const ReportContent& content, const ReportLooks& looks)
{
    const MetricInfo& metric = curves.metric;
    ChartPanel panel { titleOf(metric).text() };
    panel.x.title = Message("report.step").text();
    panel.x.text = [](double step) { return formatCount(std::llround(step)); };
    panel.y.text = [metric](double value) { return metricText(metric, value); };
    panel.y.base = metric.format == MetricFormat::Bytes ? 1024 : 10;
    panel.y.isLogarithmic = suitsLogarithm(curves);
    for (std::size_t run = 0; run < curves.ofRuns.size(); ++run) {
        const std::string group = content.summary.groups.groups[looks.groupOf[run]].name.text();
        const std::string name = reportName(content.comparison.runs[run]);
        panel.lines.push_back({ group.empty() ? name : name + ": " + group, looks.ofRuns[run],
            curves.ofRuns[run], curves.ofRuns[run].size() == 1 });
    }
    if (looks.byGroup && hasMeans(metric))
        addMeans(panel, curves, content, looks);
    return panel;
}

std::string reportName(const RunRecord& run)
{
    return "#" + std::to_string(numberOf(run.id)) + " " + run.name;
}

} // namespace accrue
