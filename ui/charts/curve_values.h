// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/curve_segments.h"
#include "ui/charts/plot_axes.h"

#include <QPointF>
#include <QString>

#include <optional>
#include <vector>

namespace accrue {

// What a place of a chart says about a curve.

bool hasNoPoints(const ChartCurve& curve);

// The point nearest to x, of all and not only of those that are drawn; empty if x is outside the
// curve by more than `slack`.
std::optional<SeriesPoint> pointNear(const ChartCurve& curve, double x, double slack);

// Of a point of the curve, in the hover box.
QString titleAt(const ChartCurve& curve, const SeriesPoint& point);
// "0.512", "0.512 (0.498)" of a smoothed curve, "0.512 ± 0.012, n = 3" of a mean.
QString valueText(const ChartCurve& curve, const SeriesPoint& point, const PlotAxis& y);

// The vertical distance in pixels from a place to what is drawn of the curve there; infinite:
// nothing is.
double distanceTo(const ChartCurve& curve, const PlotAxes& axes, const QPointF& pixel);

// `all` with the y that nearly all points have; faint curves do not count.
CurveExtent withoutOutliers(
    const CurveExtent& all, const std::vector<ChartCurve>& curves, const PlotAxis& axis);

} // namespace accrue
