// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/scatter_chart.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace accrue {

namespace {

constexpr double kRadius = 5; // pixels
constexpr double kRing = 9; // around the point that is highlighted or pointed at
constexpr double kReach = 12; // pixels from the mouse at which a point is found
constexpr double kSignWidth = 14;

void paintPoint(QPainter& painter, const QPointF& at, const ScatterSeries& series)
{
    constexpr double r = kRadius;
    painter.setPen(Qt::NoPen);
    painter.setBrush(series.color);
    if (series.shape == PointShape::Disc)
        painter.drawEllipse(at, r, r);
    else if (series.shape == PointShape::Square)
        painter.drawRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
    else if (series.shape == PointShape::Diamond)
        painter.drawPolygon(QPolygonF({ { -r, 0 }, { 0, -r }, { r, 0 }, { 0, r } }).translated(at));
    else
        painter.drawPolygon(QPolygonF({ { -r, r }, { 0, -r }, { r, r } }).translated(at));
}

void paintRing(QPainter& painter, const QPointF& at, const QPen& pen)
{
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, kRing, kRing);
}

} // namespace

void ScatterChart::setSeries(std::vector<ScatterSeries> series)
{
    if (series == m_series)
        return;
    m_series = std::move(series);
    m_dots.clear();
    for (const ScatterSeries& each : m_series)
        for (const ScatterSeries::Point& point : each.points)
            if (std::isfinite(point.x) && std::isfinite(point.y))
                m_dots.push_back({ &each, &point });
    std::stable_sort(m_dots.begin(), m_dots.end(), [](const Dot& a, const Dot& b) {
        return std::tie(a.point->x, a.point->y) < std::tie(b.point->x, b.point->y);
    });
    forgetStop();
    showData();
}

void ScatterChart::setHighlighted(const QString& title)
{
    if (std::exchange(m_highlighted, title) != title)
        contentChanged();
}

QString ScatterChart::pointedAt() const
{
    return stop() ? dotAt(*stop()).point->title : QString();
}

QPointF ScatterChart::pixelOf(const Dot& dot) const
{
    return m_axes.pixelOf(dot.point->x, dot.point->y);
}

// Half a pixel outside is in sight: an axis often ends exactly at a point.
bool ScatterChart::isInSight(const Dot& dot) const
{
    const QPointF at = pixelOf(dot);
    return std::isfinite(at.x()) && std::isfinite(at.y())
        && m_axes.area().adjusted(-0.5, -0.5, 0.5, 0.5).contains(at);
}

bool ScatterChart::isHighlighted(const Dot& dot) const
{
    return !m_highlighted.isEmpty() && dot.point->title == m_highlighted;
}

CurveExtent ScatterChart::extent() const
{
    CurveExtent extent;
    for (const Dot& dot : m_dots)
        extent.add(m_axes.x.axis(dot.point->x), m_axes.y.axis(dot.point->y));
    return extent;
}

QString ScatterChart::description() const
{
    QStringList parts;
    const auto describe = [&](const Dot& dot) {
        parts.append(tr("%1: %2 at %3 %4")
                         .arg(dot.point->title, m_axes.y.text(dot.point->y), m_axes.x.title,
                             m_axes.x.text(dot.point->x)));
    };
    if (stop())
        describe(dotAt(*stop()));
    for (const Dot& dot : m_dots)
        if (isHighlighted(dot))
            describe(dot);
    for (const ScatterSeries& each : m_series)
        parts.append(tr("%1: points: %2").arg(each.title).arg(each.points.size()));
    return parts.join(QStringLiteral("; "));
}

std::vector<LegendEntry> ScatterChart::legend() const
{
    std::vector<LegendEntry> entries;
    for (const ScatterSeries& each : m_series) {
        const ScatterSeries look { {}, each.color, each.shape, {} };
        const auto paint = [look](QPainter& painter, const QPointF& middle) {
            paintPoint(painter, middle, look);
        };
        if (!each.title.isEmpty())
            entries.push_back({ each.title, { kSignWidth, paint } });
    }
    return entries.size() < 2 ? std::vector<LegendEntry> {} : entries;
}

// ---- painting --------------------------------------------------------------------------------

void ScatterChart::paintData(QPainter& painter, const QRectF&, Medium)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const Dot* above = nullptr; // is painted last, because others may lie over it
    for (const Dot& dot : m_dots) {
        if (isInSight(dot) && isHighlighted(dot))
            above = &dot;
        else if (isInSight(dot))
            paintPoint(painter, pixelOf(dot), *dot.series);
    }
    if (above == nullptr)
        return;
    paintPoint(painter, pixelOf(*above), *above->series);
    paintRing(painter, pixelOf(*above), QPen(palette().color(QPalette::Text), 2));
}

void ScatterChart::paintStop(QPainter& painter, double stop) const
{
    paintRing(painter, pixelOf(dotAt(stop)), QPen(palette().color(QPalette::Highlight), 2));
}

// ---- hover -----------------------------------------------------------------------------------

std::optional<double> ScatterChart::stopAt(const QPointF& pixel) const
{
    std::optional<double> nearest;
    double least = kReach;
    for (std::size_t i = 0; i < m_dots.size(); ++i) {
        const double distance = QLineF(pixel, pixelOf(m_dots[i])).length();
        if (isInSight(m_dots[i]) && distance <= least) {
            least = distance;
            nearest = static_cast<double>(i);
        }
    }
    return nearest;
}

std::optional<double> ScatterChart::nextStop(const std::optional<double>& from, int direction) const
{
    const double last = static_cast<double>(m_dots.size()) - 1;
    double at = from ? *from + direction : direction > 0 ? 0 : last;
    while (at >= 0 && at <= last && !isInSight(dotAt(at)))
        at += direction;
    return at >= 0 && at <= last ? std::optional(at) : from;
}

HoverBox ScatterChart::boxAt(double stop) const
{
    const Dot& dot = dotAt(stop);
    const auto rowOf = [](const PlotAxis& axis, const QString& name, double value) {
        return HoverRow { {}, axis.title.isEmpty() ? name : axis.title, axis.text(value) };
    };
    return { .x = pixelOf(dot).x(),
        .top = pixelOf(dot).y() + kRing,
        .head = dot.point->title,
        .rows = { rowOf(m_axes.y, tr("y"), dot.point->y), rowOf(m_axes.x, tr("x"), dot.point->x) },
        .notes = { dot.series->title } };
}

} // namespace accrue
