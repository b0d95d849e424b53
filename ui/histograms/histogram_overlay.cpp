// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_overlay.h"

#include "ui/histograms/histogram_shares.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr double kFewestBins = 16;
constexpr double kMostBins = 512;

// Of few numbers fewer than it has: their counts would be noise. 2 ∛n is Rice's rule.
double binsOf(const ParameterHistogram& histogram)
{
    const auto count = static_cast<double>(countOf(histogram) - histogram.notFinite);
    return std::min(static_cast<double>(histogram.counts.size()), 2 * std::cbrt(count));
}

std::size_t binsFor(const HistogramPanels& panels, std::int64_t step, const ValueRange& range)
{
    double bins = kFewestBins;
    for (const HistogramPanel& panel : panels) {
        const ParameterHistogram& of = columnAt(panel, step).histogram;
        if (of.least < of.largest) // false for NaN, too
            bins = std::max(bins, (range.high - range.low) / (of.largest - of.least) * binsOf(of));
    }
    return static_cast<std::size_t>(std::lround(std::min(bins, kMostBins)));
}

// From the bin before the first number to the one behind the last.
std::vector<SeriesPoint> pointsOf(const std::vector<double>& shares, double low, double width)
{
    std::vector<SeriesPoint> points;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const bool isNear = shares[i] > 0 || (i > 0 && shares[i - 1] > 0)
            || (i + 1 < shares.size() && shares[i + 1] > 0);
        if (isNear || !points.empty())
            points.push_back({ low + width * (static_cast<double>(i) + 0.5), shares[i] });
    }
    while (points.size() > 1 && points.back().y == 0 && points[points.size() - 2].y == 0)
        points.pop_back();
    return points;
}

} // namespace

HistogramOverlay histogramOverlay(
    const HistogramPanels& panels, std::int64_t step, Outliers outliers)
{
    if (panels.empty())
        return {};
    const ValueRange range = valueRange(panels, outliers, step);
    const std::size_t bins = binsFor(panels, step, range);
    HistogramOverlay overlay { {}, (range.high - range.low) / static_cast<double>(bins) };
    for (const HistogramPanel& panel : panels) {
        const std::vector<double> shares =
            sharesIn(columnAt(panel, step).histogram, range.low, range.high, bins);
        overlay.curves.push_back({ .title = panel.title,
            .color = panel.color,
            .line = panel.line,
            .points = pointsOf(shares, range.low, overlay.binWidth),
            .isFormula = true,
            .key = panel.key });
    }
    return overlay;
}

} // namespace accrue
