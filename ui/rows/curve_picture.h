// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QPen>
#include <QPolygonF>
#include <QRectF>

#include <vector>

class QPainter;

namespace accrue {

// A curve without axes, as large as its place: its form, not its numbers.

// The points within `place`, from the first x at its left to the last at its right edge, the lowest
// finite value at its bottom; a level curve is in its middle. Values that are not finite are left
// out. Pure.
QPolygonF curveIn(const QRectF& place, const std::vector<SeriesPoint>& points);
void paintCurve(QPainter& painter, const QRectF& place, const std::vector<SeriesPoint>& points,
    const QPen& pen);

} // namespace accrue
