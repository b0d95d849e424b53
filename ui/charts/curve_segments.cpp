// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_segments.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

double logOf(double value)
{
    return value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

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
    return std::pair { a + d * from, to == 1 ? b : a + d * to };
}

} // namespace

double ChartScale::x(double value) const
{
    return logX ? logOf(value) : value;
}

double ChartScale::y(double value) const
{
    return logY ? logOf(value) : value;
}

double ChartScale::dataX(double axis) const
{
    return logX ? std::pow(10.0, axis) : axis;
}

double ChartScale::dataY(double axis) const
{
    return logY ? std::pow(10.0, axis) : axis;
}

std::optional<CurveExtent> extentOf(const std::vector<SeriesPoint>& points, const ChartScale& scale)
{
    std::optional<CurveExtent> extent;
    for (const SeriesPoint& point : points) {
        const double x = scale.x(point.x);
        const double y = scale.y(point.y);
        if (!std::isfinite(x) || !std::isfinite(y))
            continue;
        if (!extent)
            extent = CurveExtent { x, x, y, y };
        extent->lowX = std::min(extent->lowX, x);
        extent->highX = std::max(extent->highX, x);
        extent->lowY = std::min(extent->lowY, y);
        extent->highY = std::max(extent->highY, y);
    }
    return extent;
}

std::optional<CurveExtent> united(
    const std::optional<CurveExtent>& a, const std::optional<CurveExtent>& b)
{
    if (!a || !b)
        return a ? a : b;
    return CurveExtent { std::min(a->lowX, b->lowX), std::max(a->highX, b->highX),
        std::min(a->lowY, b->lowY), std::max(a->highY, b->highY) };
}

std::vector<QList<QPointF>> segmentsOf(
    const std::vector<SeriesPoint>& points, const ChartScale& scale, double fromX, double toX)
{
    std::vector<QList<QPointF>> segments;
    QList<QPointF> current;
    const auto close = [&] {
        if (!current.isEmpty())
            segments.push_back(std::move(current));
        current = {};
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool leftOut = i + 1 < points.size() && scale.x(points[i + 1].x) < fromX;
        if (leftOut)
            continue;
        const QPointF at(scale.x(points[i].x), scale.y(points[i].y));
        if (std::isfinite(at.x()) && std::isfinite(at.y()))
            current.append(at);
        else
            close();
        if (at.x() > toX)
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

std::vector<double> nonFiniteAt(const std::vector<SeriesPoint>& points)
{
    std::vector<double> found;
    for (const SeriesPoint& point : points)
        if (!std::isfinite(point.y))
            found.push_back(point.x);
    return found;
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
