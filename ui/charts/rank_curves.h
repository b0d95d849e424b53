// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"
#include "ui/run/follow_query.h"

#include <vector>

namespace accrue {

// How a metric that each rank measures is drawn: a line of the mean over a ribbon from the lowest
// rank to the highest, whose hover rows name these two. So 2 ranks and 16 need the same space.
struct RankCurves {
    std::vector<ChartCurve> curves; // highest, mean, lowest; none without values
    ChartRibbon ribbon;
};

// `mean` has title, colour and line of the mean, and gets its points. `run` is in front of the rows
// in the hover box; empty: the chart shows one run.
RankCurves rankCurves(const SeriesCurve& series, ChartCurve mean, const QString& run = {});

// What the ribbon is, for the legend.
QString ribbonTitle();

} // namespace accrue
