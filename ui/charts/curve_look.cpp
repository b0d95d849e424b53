// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_look.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

// Which part of a drawing remains valid when its curves grow, and which looks depend on the number
// of points. The two belong together: a curve that passes one of the limits looks different
// everywhere, so that all of it must be drawn again.

namespace accrue {

namespace {

constexpr double kRingRoom = 2.5; // pixels from a dot's edge to the ring around it
constexpr std::size_t kDotsUpTo = 40;
constexpr std::size_t kWideUpTo = 300;
constexpr std::size_t kSmoothUpTo = 6000; // of all curves

bool looksAlike(const ChartCurve& a, const ChartCurve& b)
{
    return a.title == b.title && a.color == b.color && a.faint == b.faint && a.line == b.line
        && a.ring == b.ring && a.key == b.key && a.spread == b.spread
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

void paintDot(
    QPainter& painter, const QPointF& at, const QColor& color, Qt::PenStyle ring, double radius)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(at, radius, radius);
    if (ring == Qt::NoPen)
        return;
    painter.setPen(penOf(color, ring, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, radius + kRingRoom, radius + kRingRoom);
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
