// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/number_columns.h"
#include "engine/compare/run_groups.h"
#include "ui/charts/scatter_chart.h"
#include "ui/models/run_palette.h"

#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace accrue {

// Compared runs as points over two of their numbers. All functions are pure.

struct PointRuns {
    std::vector<RunRecord> runs {};
    QStringList names {}; // of each run
    std::vector<RunStyle> styles {}; // of each run
    std::vector<bool> isShown {}; // of each run
    StyleKey key {}; // what colours and lines mean; empty: each run has its own
    Background background = Background::Light;
};

// How the points of runs are coloured, and what it says.
struct PointColors {
    std::vector<RunStyle> styles; // of each run
    QStringList notes {}; // of each run: its line in the hover box; may be empty
    std::vector<ScatterEntry> entries {};
    std::optional<ScatterScale> scale {};
    bool labelsRuns = false; // with their numbers, beside the points
};
// Up to so many runs are in the legend; of more, points have their number beside them, unless they
// are too many for that, too.
inline constexpr int kMostNamedRuns = 8;
inline constexpr int kMostNumberedRuns = 200;
PointColors colorsOfRuns(const PointRuns& runs);
// Of a number, on a scale of round values; logarithmic where values are above 0 and far apart.
// `held` is the range of before, so that colours do not change while a live run goes on.
PointColors colorsOfNumber(
    const PointRuns& runs, const NumberColumn& number, std::optional<AxisRange>& held);
// Of a setting with few values.
inline constexpr std::size_t kMostCategories = 7; // as many as there are hues
std::size_t categoriesOf(const RunGroupKey& key);
PointColors colorsOfKey(const PointRuns& runs, const RunGroupKey& key);

// Points of the runs that are shown and have both numbers.
std::vector<ScatterPoint> pointsOf(
    const PointRuns& runs, const NumberColumn& x, const NumberColumn& y, const PointColors& colors);
// "3 of 12 runs have no Test accuracy, best." Of the runs that are shown; empty: all have it.
QString missingText(const PointRuns& runs, const NumberColumn& number);

// Straight on these axes.
struct TrendPicture {
    std::optional<ScatterLine> line {};
    QString refusal {}; // why there is none
};
TrendPicture trendPicture(const std::vector<ScatterPoint>& points, bool logX, bool logY,
    const QString& xTitle, const QColor& color);

} // namespace accrue
