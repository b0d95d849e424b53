// SPDX-License-Identifier: Apache-2.0
#include "app/commands/scaling_chart.h"

#include "app/commands/scaling_report.h"
#include "app/text_table.h"
#include "engine/base/format.h"
#include "engine/compare/svg_chart.h"
#include "engine/report/comparison_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <tuple>
#include <utility>

namespace accrue {
namespace {

using Windows = std::vector<const ScaledWindows*>;

struct Line {
    std::string name;
    RunLook look;
    Windows windows {}; // by N
};

struct Figure {
    std::string title;
    std::function<double(const ScaledWindows&)> valueOf;
    std::function<std::string(double)> textOf;
    double base = 10; // of whose powers the axis has a multiple
};

Windows drawn(const std::vector<ScaledWindows>& windows)
{
    Windows all;
    Windows plain;
    for (const ScaledWindows& one : windows) {
        all.push_back(&one);
        if (one.point.sharding == Sharding::None)
            plain.push_back(&one);
    }
    return plain.empty() ? all : plain;
}

std::string nameOf(const ScaledWindows& one)
{
    const std::string devices = "W " + formatCount(one.point.ranks);
    return one.point.ranks == 1
        ? devices
        : devices + ", " + one.link + ", " + wayOf(one.point.everyMicroBatch);
}

// Lines of one number of devices and one link have one colour.
std::vector<Line> linesOf(const Windows& windows)
{
    std::vector<Line> lines;
    std::vector<std::pair<std::int64_t, std::string>> places;
    for (const ScaledWindows* one : windows) {
        const std::pair place(one->point.ranks, one->point.ranks == 1 ? "" : one->link);
        const auto found = std::find(places.begin(), places.end(), place);
        const auto index = static_cast<std::size_t>(found - places.begin());
        if (found == places.end())
            places.push_back(place);
        const std::string name = nameOf(*one);
        auto line = std::find_if(
            lines.begin(), lines.end(), [&](const Line& other) { return other.name == name; });
        if (line == lines.end()) {
            const LineKind kind = one->point.everyMicroBatch ? LineKind::Dashed : LineKind::Solid;
            line = lines.insert(lines.end(), { name, { index % kSeriesHues.size(), kind } });
        }
        line->windows.push_back(one);
    }
    for (Line& line : lines)
        std::sort(line.windows.begin(), line.windows.end(),
            [](const auto* a, const auto* b) { return a->point.steps < b->point.steps; });
    return lines;
}

std::vector<double> stepsOf(const Windows& windows)
{
    std::vector<double> steps;
    steps.reserve(windows.size());
    for (const ScaledWindows* one : windows)
        steps.push_back(static_cast<double>(one->point.steps));
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

std::vector<Figure> figuresOf(const std::vector<ScaledWindows>& all)
{
    const auto percent = [](double share) { return formatNumber(100 * share, 3) + " %"; };
    return { { titleOf(infoOf(MetricId::Throughput)).text(),
                 [](const ScaledWindows& one) { return one.samplesPerSecond; }, formatRate },
        { label("Efficiency"), [&](const ScaledWindows& one) { return efficiencyOf(one, all); },
            percent },
        { label("Communication"),
            [](const ScaledWindows& one) {
                return one.communicationMs / (1000 * one.point.windowSeconds);
            },
            percent },
        { label("Bytes sent"), [](const ScaledWindows& one) { return one.bytes; },
            [](double bytes) { return formatBytes(std::llround(bytes)); }, /*base=*/1024 } };
}

ChartLine chartLine(const Line& line, const Figure& figure)
{
    ChartLine drawnLine { line.name, line.look, {}, /*hasDots=*/true };
    for (const ScaledWindows* one : line.windows)
        if (const double value = figure.valueOf(*one); std::isfinite(value))
            drawnLine.points.push_back({ static_cast<double>(one->point.steps), value });
    return drawnLine;
}

ChartPanel panelOf(const Figure& figure, const std::vector<Line>& lines, const Windows& windows)
{
    ChartPanel panel { figure.title };
    panel.x.isLogarithmic = true;
    panel.x.ticks = stepsOf(windows);
    panel.x.text = [](double steps) { return "N " + formatCount(std::llround(steps)); };
    panel.y.text = figure.textOf;
    panel.y.base = figure.base;
    panel.y.fromZero = true;
    for (const Line& line : lines)
        panel.lines.push_back(chartLine(line, figure));
    return panel;
}

} // namespace

std::string scalingChart(const std::vector<ScaledWindows>& windows)
{
    const Windows some = drawn(windows);
    const std::vector<Line> lines = linesOf(some);
    std::vector<ChartPanel> panels;
    for (const Figure& figure : figuresOf(windows))
        panels.push_back(panelOf(figure, lines, some));
    return svgFile(panels, panels.front().lines, "Made by accrue scale.");
}

} // namespace accrue
