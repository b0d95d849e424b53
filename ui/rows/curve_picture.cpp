// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/curve_picture.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr double kDot = 1.5; // pixels: of a curve of one point

} // namespace

QPolygonF curveIn(const QRectF& place, const std::vector<SeriesPoint>& points)
{
    std::vector<SeriesPoint> finite;
    std::copy_if(points.begin(), points.end(), std::back_inserter(finite),
        [](const SeriesPoint& point) { return std::isfinite(point.y); });
    QPolygonF curve;
    if (finite.empty())
        return curve;
    const auto [low, high] = std::minmax_element(finite.begin(), finite.end(),
        [](const SeriesPoint& a, const SeriesPoint& b) { return a.y < b.y; });
    const double first = finite.front().x;
    const double wide = finite.back().x - first;
    const double tall = high->y - low->y;
    for (const SeriesPoint& point : finite) {
        const double x = wide > 0 ? (point.x - first) / wide : 0.5;
        const double y = tall > 0 ? (point.y - low->y) / tall : 0.5;
        curve.append({ place.left() + x * place.width(), place.bottom() - y * place.height() });
    }
    return curve;
}

void paintCurve(
    QPainter& painter, const QRectF& place, const std::vector<SeriesPoint>& points, const QPen& pen)
{
    const QPolygonF curve = curveIn(place, points);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    if (curve.size() == 1) {
        painter.setBrush(pen.color());
        painter.drawEllipse(curve.front(), kDot, kDot);
    } else {
        painter.drawPolyline(curve);
    }
    painter.restore();
}

} // namespace accrue
