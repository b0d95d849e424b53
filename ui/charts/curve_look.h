// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"

#include <QPainterPath>
#include <QPen>

#include <optional>
#include <vector>

namespace accrue {

// How a line looks wherever it is shown: chart, legend, hover box, a run's dot.
QPen penOf(const QColor& color, Qt::PenStyle line, double width);

constexpr double kDotRadius = 3; // pixels, on a line
constexpr double kLoneDotRadius = 5;

// What stands for a line where only a dot has room: a disc for a solid one, a square for a dashed
// one, a triangle for a dotted one, a diamond for the others. All are filled and about as large as
// the disc of that radius, so that dots of one hue can be told apart.
QPainterPath markOf(Qt::PenStyle line, const QPointF& middle, double radius);
// A dot without a line, in chart, legend and hover box; `shape` as ChartCurve's.
void paintDot(QPainter& painter, const QPointF& at, const QColor& color, Qt::PenStyle shape,
    double radius = kLoneDotRadius);
bool isDotsAlone(const ChartCurve& curve);

// How many points decide how a curve is drawn.
bool hasDots(const ChartCurve& curve); // few points are also drawn as dots
bool isWide(const ChartCurve& curve); // joins of wide lines cost much once points are many
bool areSmooth(const std::vector<ChartCurve>& curves); // drawn with antialiasing

// The x (data units) from which on a drawing of `now` differs from one of `before` on the same
// axes: infinite when they are the same; nothing when all must be drawn.
std::optional<double> grownFrom(
    const std::vector<ChartCurve>& before, const std::vector<ChartCurve>& now);

} // namespace accrue
