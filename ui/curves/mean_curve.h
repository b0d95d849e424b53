// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"

#include <memory>
#include <vector>

namespace accrue {

enum class MeanBand {
    Interval, // of 95 %, by Student's t
    Range, // lowest to highest
};

// The mean of runs at places that all of them have, or at equal spans of x where they do not.
struct MeanCurve {
    std::shared_ptr<const CurveLevels> levels; // null: no run has a point
    std::vector<CurveSpread> spread; // of each point
    std::vector<ChartRibbon::Edge> band; // where there are two runs or more
};

// Values that are not finite count nowhere. A run counts from its first to its last point; between
// two points of it the line between them counts. With more than `mostPlaces` points in a run,
// neighbours are averaged first. Pure.
MeanCurve meanOf(
    const std::vector<const CurveLevels*>& runs, MeanBand band, std::size_t mostPlaces = 2000);

// The mean of values and its interval; fewer than two: the value itself.
CurveSpread spreadOf(const std::vector<double>& values, MeanBand band, double& mean);

} // namespace accrue
