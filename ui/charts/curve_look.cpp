// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_look.h"

#include <QPainter>
#include <QPolygonF>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <limits>

// Which part of a drawing remains valid when its curves grow, and which looks depend on the number
// of points. The two belong together: a curve that passes one of the limits looks different
// everywhere, so that all of it must be drawn again.

namespace accrue {

namespace {

// In radii of the disc, so that all look about as large.
constexpr double kSquare = 0.94; // half a side
constexpr double kDiamond = 1.45; // from the middle to a corner
constexpr double kTriangle = 1.4; // likewise
constexpr std::size_t kDotsUpTo = 40;
constexpr std::size_t kWideUpTo = 300;
constexpr std::size_t kSmoothUpTo = 6000; // of all curves

// The first corner is above the middle, turned by `degrees`.
QPolygonF regular(int corners, double degrees, const QPointF& middle, double toCorner)
{
    QPolygonF polygon;
    for (int i = 0; i < corners; ++i) {
        const double angle = qDegreesToRadians(degrees + 360.0 * i / corners);
        polygon << middle + toCorner * QPointF(std::sin(angle), -std::cos(angle));
    }
    return polygon;
}

bool looksAlike(const ChartCurve& a, const ChartCurve& b)
{
    return a.title == b.title && a.color == b.color && a.faint == b.faint && a.line == b.line
        && a.shape == b.shape && a.key == b.key && a.spread == b.spread
        && (a.levels || (hasDots(a) == hasDots(b) && isWide(a) == isWide(b)));
}

constexpr double kNowhere = std::numeric_limits<double>::infinity();

// From the last point that stays and that a line can start from. The dashes of a dashed line would
// not meet.
std::optional<double> grownFrom(const ChartCurve& before, const ChartCurve& now)
{
    // Its points depend on what the chart shows.
    if (before.levels || now.levels)
        return before.levels == now.levels && before.measured == now.measured
            ? kNowhere
            : std::optional<double>();
    const auto [old, added] = std::mismatch(
        before.points.begin(), before.points.end(), now.points.begin(), now.points.end());
    if (old == before.points.end() && added == now.points.end())
        return kNowhere;
    // Not from the first new point: the line to it begins at the finite one before.
    const auto stays = std::find_if(std::make_reverse_iterator(old), before.points.rend(),
        [](const SeriesPoint& point) { return std::isfinite(point.y); });
    if (stays == before.points.rend() || now.line != Qt::SolidLine)
        return std::nullopt;
    return stays->x;
}

} // namespace

QPen penOf(const QColor& color, Qt::PenStyle line, double width)
{
    // Each dash has caps, too: square ones, Qt's default, would make a dot twice as long.
    return QPen(color, width, line, Qt::FlatCap);
}

QPainterPath markOf(Qt::PenStyle line, const QPointF& middle, double radius)
{
    QPainterPath mark;
    if (line == Qt::SolidLine || line == Qt::NoPen)
        mark.addEllipse(middle, radius, radius);
    else if (line == Qt::DashLine)
        mark.addPolygon(regular(4, 45, middle, radius * kSquare * std::sqrt(2.0)));
    else if (line == Qt::DotLine)
        // Its corners are farther below the middle of their circle than above it.
        mark.addPolygon(
            regular(3, 0, middle + QPointF(0, radius * kTriangle / 5), radius * kTriangle));
    else
        mark.addPolygon(regular(4, 0, middle, radius * kDiamond));
    mark.closeSubpath();
    return mark;
}

void paintDot(
    QPainter& painter, const QPointF& at, const QColor& color, Qt::PenStyle shape, double radius)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (shape == Qt::NoPen)
        painter.drawEllipse(at, radius, radius); // a circle in a saved picture, too
    else
        painter.drawPath(markOf(shape, at, radius));
}

bool isDotsAlone(const ChartCurve& curve)
{
    return curve.line == Qt::NoPen;
}

bool hasDots(const ChartCurve& curve)
{
    return isDotsAlone(curve)
        || (curve.points.size() <= kDotsUpTo && !curve.faint && !curve.isFormula);
}

bool isWide(const ChartCurve& curve)
{
    return curve.points.size() <= kWideUpTo;
}

bool areSmooth(const std::vector<ChartCurve>& curves)
{
    std::size_t points = 0;
    for (const ChartCurve& curve : curves)
        points += curve.levels ? 0 : curve.points.size();
    return points <= kSmoothUpTo;
}

std::optional<double> grownFrom(
    const std::vector<ChartCurve>& before, const std::vector<ChartCurve>& now)
{
    // Antialiasing changes every line, so that nothing of the old drawing remains valid.
    if (before.size() != now.size() || areSmooth(before) != areSmooth(now))
        return std::nullopt;
    double from = kNowhere;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const std::optional<double> grown =
            looksAlike(before[i], now[i]) ? grownFrom(before[i], now[i]) : std::nullopt;
        if (!grown)
            return std::nullopt;
        from = std::min(from, *grown);
    }
    return from;
}

} // namespace accrue
