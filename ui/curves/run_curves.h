// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"
#include "ui/curves/curve_groups.h"
#include "ui/curves/grid_settings.h"
#include "ui/models/run_palette.h"
#include "ui/run/follow_query.h"

#include <vector>

namespace accrue {

// The compared runs as all charts of a grid show them.
struct ComparedLooks {
    std::vector<RunRecord> runs;
    QStringList names; // of each run
    std::vector<RunStyle> styles; // of each run
    std::vector<CurveGroup> groups;
    std::vector<RunStyle> groupStyles {}; // of each group; empty: that of its first run
    std::vector<bool> isShown; // of each run
    MeanBand band = MeanBand::Interval;

    const CurveGroup* groupOf(RunId run) const; // null: it is not compared
    long long keyOf(const CurveGroup& group) const; // as ChartCurve::key
    const RunStyle& styleOf(const CurveGroup& group) const; // of `groups`
};

struct DrawnCurves {
    std::vector<ChartCurve> curves;
    std::vector<ChartRibbon> ribbons;
};

// What a chart of `metric` draws of an answer; `over`: the metric of the x axis, empty: an axis.
// Pure.
DrawnCurves drawnCurves(const ComparedLooks& looks, const SeriesBatch& batch,
    const std::string& metric, const std::string& over);

} // namespace accrue
