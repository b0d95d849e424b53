// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_marks.h"

#include "ui/charts/curve_look.h"
#include "ui/charts/curve_segments.h"
#include "ui/charts/plot_axes.h"
#include "ui/charts/plot_look.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {

namespace {

constexpr double kDotReach = 6; // pixels from a dot's middle that belong to it
constexpr double kCap = 4; // half of the strokes at the ends of an interval

// What a text should not hide, the worst first.
struct Clutter {
    std::vector<QRectF> texts;
    std::vector<QPointF> dots;
    std::vector<QPointF> ofLines;
};

Clutter clutterOf(const std::vector<ChartCurve>& curves, const PlotAxes& axes)
{
    Clutter clutter;
    for (const ChartCurve& curve : curves) {
        auto& points = hasDots(curve) ? clutter.dots : clutter.ofLines;
        for (const SeriesPoint& point : curve.points) {
            const QPointF at = axes.pixelOf(point.x, point.y);
            if (std::isfinite(at.x()) && std::isfinite(at.y()))
                points.push_back(at);
        }
    }
    return clutter;
}

// At the end, and on the side, of its line where it hides the least.
QRectF placeOfLevel(double y, const QSizeF& size, const QRectF& area, const Clutter& clutter)
{
    // Arrays compare by their first difference: no number of points outweighs a text.
    const auto hiddenBy = [&](const QRectF& place) {
        const QRectF near = place.adjusted(-kDotReach, -kDotReach, kDotReach, kDotReach);
        const auto isText = [&](const QRectF& text) { return text.intersects(place); };
        const auto isNear = [&](const QPointF& point) { return near.contains(point); };
        return std::array {
            std::count_if(clutter.texts.begin(), clutter.texts.end(), isText),
            std::count_if(clutter.dots.begin(), clutter.dots.end(), isNear),
            std::count_if(clutter.ofLines.begin(), clutter.ofLines.end(), isNear),
        };
    };
    std::vector<QRectF> places;
    for (const double top : { y - 3 - size.height(), y + 3 })
        for (const double left : { area.left() + 4, area.right() - 4 - size.width() })
            if (top >= area.top() && top + size.height() <= area.bottom())
                places.emplace_back(QPointF(left, top), size);
    const auto best = std::min_element(places.begin(), places.end(),
        [&](const QRectF& a, const QRectF& b) { return hiddenBy(a) < hiddenBy(b); });
    // No place is inside a plot that is lower than the text; then it is below its line.
    return best != places.end() ? *best : QRectF(QPointF(area.left() + 4, y + 3), size);
}

double markerPixel(const PlotAxes& axes, const ChartMarker& marker)
{
    return std::round(axes.x.pixelOf(marker.x)) + 0.5;
}

// A label that would overlap another one moves a row up.
void paintMarkerLabels(QPainter& painter, const PlotAxes& axes, const PlotLook& look,
    const std::vector<ChartMarker>& markers, double chartWidth)
{
    const QFontMetricsF small(look.small);
    const double top = axes.y.last;
    std::vector<QRectF> taken;
    for (const ChartMarker& marker : markers) {
        const double x = markerPixel(axes, marker);
        if (marker.label.isEmpty() || !(x >= axes.x.first && x <= axes.x.last))
            continue;
        const double wide = small.horizontalAdvance(marker.label) + 4;
        // A label may extend beyond the plot, but not beyond the chart.
        const bool onTheLeft = x + 6 + wide > chartWidth;
        QRectF place(onTheLeft ? std::max(0.0, x - 6 - wide) : x + 6, top - 6 - small.height(),
            wide, small.height());
        const auto isTaken = [&](const QRectF& other) { return other.intersects(place); };
        while (std::any_of(taken.begin(), taken.end(), isTaken))
            place.translate(0, -small.height() - 1);
        // Wider than it is: two labels in one row must not read as one sentence.
        taken.push_back(place.adjusted(-8, 0, 8, 0));
        painter.setPen(QPen(marker.color, 1));
        painter.drawLine(QPointF(x, place.top() + 2), QPointF(x, top - 5));
        paintOnGround(painter, look, place, marker.label);
    }
}

// Of one place, where a band would have no width: a test at the end of a run.
void paintBar(QPainter& painter, const QPointF& high, const QPointF& low, const QColor& color)
{
    painter.setPen(QPen(withAlpha(color, std::min(255, 2 * color.alpha())), 2));
    painter.drawLine(high, low);
    for (const QPointF& end : { high, low })
        painter.drawLine(end - QPointF(kCap, 0), end + QPointF(kCap, 0));
}

} // namespace

// An end that a logarithmic axis cannot show is drawn on the axis.
void paintRibbons(QPainter& painter, const PlotAxes& axes, const std::vector<ChartRibbon>& ribbons,
    long long emphasised)
{
    painter.save();
    // The band extends beyond a zoomed plot.
    painter.setClipRect(axes.area());
    painter.setRenderHint(QPainter::Antialiasing);
    const auto at = [&axes](double x, double y) {
        // NaN on a logarithmic axis: the band of a small value may reach below 0.
        const QPointF pixel = axes.pixelOf(x, y);
        return std::isfinite(pixel.y()) ? pixel : QPointF(pixel.x(), axes.y.first);
    };
    for (const ChartRibbon& ribbon : ribbons) {
        QPolygonF outline;
        for (const ChartRibbon::Edge& edge : ribbon.edges)
            outline.append(at(edge.x, edge.high));
        for (auto edge = ribbon.edges.rbegin(); edge != ribbon.edges.rend(); ++edge)
            outline.append(at(edge->x, edge->low));
        const bool isPale = emphasised != 0 && ribbon.key != emphasised;
        const QColor color =
            isPale ? withAlpha(ribbon.color, ribbon.color.alpha() / 4) : ribbon.color;
        if (ribbon.edges.size() == 1) {
            paintBar(painter, outline.first(), outline.last(), color);
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(outline);
    }
    painter.restore();
}

void paintLevels(QPainter& painter, const PlotAxes& axes, const PlotLook& look,
    const std::vector<ChartLevel>& levels, const std::vector<ChartCurve>& curves)
{
    if (levels.empty())
        return;
    const QFontMetricsF small(look.small);
    const QRectF area = axes.area();
    // Grows with each text that is placed, so that two levels at one height do not cover each
    // other.
    Clutter clutter = clutterOf(curves, axes);
    for (const ChartLevel& level : levels) {
        if (!axes.y.shows(axes.y.axis(level.y)))
            continue;
        const double y = std::round(axes.y.pixelOf(level.y)) + 0.5;
        painter.setPen(QPen(level.color, 1.5));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        const double wide = std::min(small.horizontalAdvance(level.text) + 4, area.width() - 4);
        const QRectF place = placeOfLevel(y, { wide, small.height() }, area, clutter);
        // The next level's text must not be placed on this one.
        clutter.texts.push_back(place);
        paintOnGround(painter, look, place, small.elidedText(level.text, Qt::ElideRight, wide));
    }
}

double roomForLabels(const std::vector<ChartMarker>& markers, double lineHeight)
{
    const auto labels = std::count_if(markers.begin(), markers.end(),
        [](const ChartMarker& marker) { return !marker.label.isEmpty(); });
    return labels == 0 ? 0 : 2 + static_cast<double>(labels) * (lineHeight + 1);
}

void paintMarkers(QPainter& painter, const PlotAxes& axes, const PlotLook& look,
    const std::vector<ChartMarker>& markers, double chartWidth)
{
    const double top = axes.y.last;
    for (const ChartMarker& marker : markers) {
        if (!axes.x.shows(axes.x.axis(marker.x)))
            continue;
        // Half a pixel beside the round one (markerPixel): a line of one pixel is then not smeared
        // over two.
        const double x = markerPixel(axes, marker);
        if (marker.hasLine) {
            painter.setPen(QPen(withAlpha(marker.color, 150), 1, Qt::DashLine));
            painter.drawLine(QPointF(x, top), QPointF(x, axes.y.first));
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(marker.color);
        painter.drawPolygon(
            QPolygonF({ QPointF(x - 4, top - 5), QPointF(x + 4, top - 5), QPointF(x, top + 1) }));
    }
    paintMarkerLabels(painter, axes, look, markers, chartWidth);
}

void paintNonFinite(QPainter& painter, const PlotAxes& axes, const std::vector<ChartCurve>& curves)
{
    for (const ChartCurve& curve : curves) {
        if (curve.faint)
            continue;
        painter.setPen(QPen(curve.color, 1.5));
        double last = -1;
        for (const SeriesPoint& point : curve.points) {
            const double x = axes.x.pixelOf(point.x);
            const bool inSight = x >= axes.x.first - 1 && x <= axes.x.last + 1; // false for NaN
            // A run that has diverged has one such point for each step. Crosses nearer than four
            // pixels would cost a paint each and show no more.
            // NaN and infinity have no height: the mark is at the lower edge.
            if (std::isfinite(point.y) || !inSight || std::abs(x - last) < 4)
                continue;
            last = x;
            const QPointF at(x, axes.y.first - 5);
            painter.drawLine(at + QPointF(-3, -3), at + QPointF(3, 3));
            painter.drawLine(at + QPointF(-3, 3), at + QPointF(3, -3));
        }
    }
}

} // namespace accrue
