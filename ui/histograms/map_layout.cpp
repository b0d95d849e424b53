// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/map_layout.h"

#include "ui/charts/plot_look.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr double kLeastWidth = 200; // of a panel, with its labels
constexpr double kLeastMap = 84; // height of a map
constexpr double kGap = 12; // between panels
constexpr double kBesideLabels = 6;
constexpr double kTickHeight = 36; // for each tick
constexpr double kTickWidth = 64;
constexpr int kDigits = 3;

double titleHeight(const PlotLook& look)
{
    return std::ceil(QFontMetricsF(look.font).height()) + 2;
}

double tickHeight(const PlotLook& look)
{
    return std::ceil(look.smallHeight()) + 5;
}

int rowsOf(std::size_t panels, int columns)
{
    return (static_cast<int>(panels) + columns - 1) / columns;
}

PlotAxis stepAxis(const HistogramPanels& panels)
{
    PlotAxis axis;
    axis.text = [](double step) { return axisText(Axis::Step, step); };
    axis.low = std::numeric_limits<double>::infinity();
    axis.high = -axis.low;
    for (const HistogramPanel& panel : panels) {
        axis.low = std::min(axis.low, static_cast<double>(panel.data->columns.front().step));
        axis.high = std::max(axis.high, static_cast<double>(panel.data->columns.back().step));
    }
    if (axis.low == axis.high) {
        axis.low -= 0.5;
        axis.high += 0.5;
    }
    return axis;
}

PlotAxis valueAxis(const ValueRange& range)
{
    PlotAxis axis;
    axis.text = [](double value) { return numberText(value, kDigits); };
    axis.low = range.low;
    axis.high = range.high;
    return axis;
}

std::vector<PlotAxis> valueAxes(const HistogramPanels& panels, const MapScales& scales)
{
    std::vector<PlotAxis> axes;
    if (scales.areShared)
        axes.assign(panels.size(), valueAxis(valueRange(panels, scales.outliers)));
    else
        for (const HistogramPanel& panel : panels)
            axes.push_back(valueAxis(valueRange({ panel }, scales.outliers)));
    return axes;
}

// Few round numbers may miss a range that is no round one: then more are tried.
std::vector<double> valueTicks(const PlotAxis& axis, int wanted)
{
    constexpr std::size_t kFewest = 3;
    constexpr int kMost = 6;
    std::vector<double> ticks = axis.ticksFor(wanted);
    while (ticks.size() < kFewest && wanted < kMost)
        ticks = axis.ticksFor(++wanted);
    return ticks;
}

// The width that the labels of all panels need, so that maps below each other begin at one place.
double labelWidth(const std::vector<PlotAxis>& axes, int ticks, const PlotLook& look)
{
    const QFontMetricsF small(look.small);
    double widest = 24;
    for (const PlotAxis& axis : axes)
        for (const double tick : valueTicks(axis, ticks))
            widest = std::max(widest, std::ceil(small.horizontalAdvance(axis.textAt(tick))));
    return widest;
}

} // namespace

int mapColumns(std::size_t panels, double width)
{
    const int most = std::max(1, static_cast<int>((width + kGap) / (kLeastWidth + kGap)));
    const auto count = static_cast<double>(panels);
    // Maps are wider than high: a few are beside each other.
    const int wanted =
        panels <= 3 ? static_cast<int>(panels) : static_cast<int>(std::ceil(std::sqrt(count)));
    return std::clamp(wanted, 1, most);
}

double leastMapHeight(std::size_t panels, double width, const PlotLook& look)
{
    const int rows = rowsOf(panels, mapColumns(panels, width));
    return rows * (kLeastMap + titleHeight(look) + tickHeight(look) + kGap) - kGap;
}

std::vector<PlacedMap> placeMaps(const HistogramPanels& panels, const MapScales& scales,
    const PlotLook& look, const QRectF& area)
{
    if (panels.empty())
        return {};
    const int columns = mapColumns(panels.size(), area.width());
    const int rows = rowsOf(panels.size(), columns);
    const double height = (area.height() - (rows - 1) * kGap) / rows;
    const double mapHeight = std::max(8.0, height - titleHeight(look) - tickHeight(look));
    const int yTicks = std::max(3, static_cast<int>(mapHeight / kTickHeight));
    const PlotAxis steps = stepAxis(panels);
    const std::vector<PlotAxis> values = valueAxes(panels, scales);
    const double labels = labelWidth(values, yTicks, look) + kBesideLabels;
    // Labels of a shared axis are beside the first column alone.
    const int labelled = scales.areShared ? 1 : columns;
    const double mapWidth =
        std::max(8.0, (area.width() - (columns - 1) * kGap - labelled * labels) / columns);
    std::vector<PlacedMap> placed;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const int column = static_cast<int>(i) % columns;
        const int row = static_cast<int>(i) / columns;
        const bool isLabelled = column < labelled;
        const double left = area.left() + column * (mapWidth + kGap)
            + std::min(column, labelled) * labels + (isLabelled ? labels : 0);
        const double top = area.top() + row * (height + kGap);
        PlacedMap& map = placed.emplace_back();
        map.title = QRectF(left, top, mapWidth, titleHeight(look));
        map.axes = { steps, values[i] };
        map.axes.setArea(QRectF(left, map.title.bottom(), mapWidth, mapHeight));
        map.frame = QRectF(
            left - (isLabelled ? labels : 0), top, mapWidth + (isLabelled ? labels : 0), height);
        map.xTicks = steps.ticksFor(std::max(3, static_cast<int>(mapWidth / kTickWidth)));
        map.labelWidth = labels - kBesideLabels;
        if (isLabelled)
            map.yTicks = valueTicks(values[i], yTicks);
    }
    return placed;
}

} // namespace accrue
