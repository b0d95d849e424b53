// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_axes.h"

#include <QList>
#include <QPointF>
#include <QRectF>

#include <limits>
#include <vector>

namespace accrue {

// Lowest and highest of the points that it holds, in axis units.
struct CurveExtent {
    static constexpr double kNone = std::numeric_limits<double>::infinity();

    double lowX = kNone, highX = -kNone, lowY = kNone, highY = -kNone;

    bool isEmpty() const { return lowX > highX; }
    void add(double x, double y); // nothing if one of them is not finite
};

// The polylines of a curve in axis units, cut where a value is not finite. Points far left and
// right of what the x axis shows are left out; the nearest outside one stays, so that lines reach
// the edge.
std::vector<QList<QPointF>> segmentsOf(
    const std::vector<SeriesPoint>& points, const PlotAxes& axes);

// Removes the inner points of level stretches: the same line from fewer points.
QList<QPointF> withoutLevelPoints(const QList<QPointF>& line);

// The parts of a polyline inside `window`, cut exactly at its edges.
std::vector<QList<QPointF>> clipped(const QList<QPointF>& line, const QRectF& window);

// The point nearest to x (data units); null if x is outside the curve by more than `slack`.
const SeriesPoint* nearestPoint(const std::vector<SeriesPoint>& points, double x, double slack);

} // namespace accrue
