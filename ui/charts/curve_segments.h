// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <QList>
#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace accrue {

// How data becomes axis units: as it is, or its decimal logarithm.
struct ChartScale {
    bool logX = false;
    bool logY = false;

    double x(double value) const;
    double y(double value) const;
    double dataX(double axis) const; // the way back
    double dataY(double axis) const;
};

// Lowest and highest finite point in axis units; empty where there is none.
struct CurveExtent {
    double lowX = 0, highX = 0, lowY = 0, highY = 0;
};
std::optional<CurveExtent> extentOf(
    const std::vector<SeriesPoint>& points, const ChartScale& scale);
std::optional<CurveExtent> united(
    const std::optional<CurveExtent>& a, const std::optional<CurveExtent>& b);

// The polylines of a curve in axis units, cut where a value is not finite. Points far left and
// right of [fromX, toX] are left out; the nearest outside one stays, so that lines reach the edge.
std::vector<QList<QPointF>> segmentsOf(
    const std::vector<SeriesPoint>& points, const ChartScale& scale, double fromX, double toX);

// Without the inner points of level stretches: the same line from fewer points.
QList<QPointF> withoutLevelPoints(const QList<QPointF>& line);

// The parts of a polyline inside `window`, cut exactly at its edges.
std::vector<QList<QPointF>> clipped(const QList<QPointF>& line, const QRectF& window);

// x (data units) of the points whose y is not finite.
std::vector<double> nonFiniteAt(const std::vector<SeriesPoint>& points);

// The point nearest to x (data units); null where x lies outside the curve by more than `slack`.
const SeriesPoint* nearestPoint(const std::vector<SeriesPoint>& points, double x, double slack);

} // namespace accrue
