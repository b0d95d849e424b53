// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_segments.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

// Geometry alone: nothing here paints or knows a widget, so it is tested without a window. Lines
// are in axis units, in which a logarithmic axis is a linear one.

namespace accrue {

namespace {

// The share of a→b at which it enters or leaves one edge (Liang and Barsky).
bool narrow(double direction, double distance, double& from, double& to)
{
    if (direction == 0)
        return distance >= 0;
    const double at = distance / direction;
    if (direction < 0)
        from = std::max(from, at);
    else
        to = std::min(to, at);
    return from <= to;
}

std::optional<std::pair<QPointF, QPointF>> inside(
    const QPointF& a, const QPointF& b, const QRectF& window)
{
    double from = 0;
    double to = 1;
    const QPointF d = b - a;
    const bool seen = narrow(-d.x(), a.x() - window.left(), from, to)
        && narrow(d.x(), window.right() - a.x(), from, to)
        && narrow(-d.y(), a.y() - window.top(), from, to)
        && narrow(d.y(), window.bottom() - a.y(), from, to);
    if (!seen)
        return std::nullopt;
    // a + d is not always b to the bit, and an end that is not cut must not move.
    return std::pair { a + d * from, to == 1 ? b : a + d * to };
}

} // namespace

void CurveExtent::add(double x, double y)
{
    if (!std::isfinite(x) || !std::isfinite(y))
        return;
    lowX = std::min(lowX, x);
    highX = std::max(highX, x);
    lowY = std::min(lowY, y);
    highY = std::max(highY, y);
}

std::vector<QList<QPointF>> segmentsOf(const std::vector<SeriesPoint>& points, const PlotAxes& axes)
{
    std::vector<QList<QPointF>> segments;
    QList<QPointF> current;
    const auto close = [&] {
        if (!current.isEmpty())
            segments.push_back(std::move(current));
        current = {};
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        // A point is left out if the next one is still left of the axis: the nearest outside point
        // remains, so that the line reaches the edge.
        const bool leftOut = i + 1 < points.size() && axes.x.axis(points[i + 1].x) < axes.x.low;
        if (leftOut)
            continue;
        const QPointF at(axes.x.axis(points[i].x), axes.y.axis(points[i].y));
        if (std::isfinite(at.x()) && std::isfinite(at.y()))
            current.append(at);
        else
            close();
        // One point beyond the right edge is enough for the line to reach it.
        if (at.x() > axes.x.high)
            break;
    }
    close();
    return segments;
}

QList<QPointF> withoutLevelPoints(const QList<QPointF>& line)
{
    QList<QPointF> kept;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const bool inner = i > 0 && i + 1 < line.size();
        if (!inner || line[i].y() != line[i - 1].y() || line[i].y() != line[i + 1].y())
            kept.append(line[i]);
    }
    return kept;
}

std::vector<QList<QPointF>> clipped(const QList<QPointF>& line, const QRectF& window)
{
    std::vector<QList<QPointF>> parts;
    QList<QPointF> current;
    if (line.size() == 1 && window.contains(line.first()))
        parts.push_back(line);
    for (qsizetype i = 1; i < line.size(); ++i) {
        const auto piece = inside(line[i - 1], line[i], window);
        if (!piece)
            continue;
        if (current.isEmpty() || current.last() != piece->first) {
            if (!current.isEmpty())
                parts.push_back(std::move(current));
            current = { piece->first };
        }
        current.append(piece->second);
    }
    if (!current.isEmpty())
        parts.push_back(std::move(current));
    return parts;
}

const SeriesPoint* nearestPoint(const std::vector<SeriesPoint>& points, double x, double slack)
{
    if (points.empty() || x < points.front().x - slack || x > points.back().x + slack)
        return nullptr;
    const auto after = std::lower_bound(points.begin(), points.end(), x,
        [](const SeriesPoint& point, double value) { return point.x < value; });
    if (after == points.begin())
        return &points.front();
    if (after == points.end())
        return &points.back();
    const SeriesPoint& before = *(after - 1);
    return x - before.x <= after->x - x ? &before : &*after;
}

} // namespace accrue
