// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_layer.h"

#include "ui/charts/curve_look.h"
#include "ui/charts/curve_segments.h"
#include "ui/charts/plot_axes.h"
#include "ui/charts/plot_look.h"

#include <QChart>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QValueAxis>

#include <algorithm>

// Qt Charts draws here without a QChartView: its items are on a scene that nobody shows, and are
// painted into the chart's own paint event. So a chart is one widget with one paint, its plot stays
// where PlotFrame puts it, and only visible items are painted. Qt Charts contributes the outline of
// a line with its pen, which it stores from paint to paint; replacing the points of a series is
// expensive, and most of this file avoids it (see "A chart that grows is painted in part" in
// docs/decisions.md).

namespace accrue {

namespace {

constexpr std::size_t kMostSegments = 60; // lines a curve is cut into by values not finite
constexpr qsizetype kTail = 96; // points of a line that may be outlined with each new one

// More cuts than that cannot be distinguished on a screen: the rest is joined.
void joinBeyond(std::vector<QList<QPointF>>& segments, std::size_t most)
{
    while (segments.size() > most) {
        segments[most - 1].append(segments.back());
        segments.pop_back();
    }
    if (segments.size() == most)
        std::sort(segments.back().begin(), segments.back().end(),
            [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
}

// Exactly: the comparison of QPointF is a rough one.
bool samePoints(const QList<QPointF>& a, const QList<QPointF>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
        [](const QPointF& p, const QPointF& q) { return p.x() == q.x() && p.y() == q.y(); });
}

QPen linePen(const ChartCurve& curve)
{
    const QColor color = withAlpha(curve.color, curve.faint ? 70 : 255);
    QPen pen = penOf(color, curve.line, curve.faint || !isWide(curve) ? 1 : 1.5);
    // In a saved SVG the lines keep their width when the picture is scaled.
    pen.setCosmetic(true);
    return pen;
}

// The lines of a curve in axis units.
std::vector<QList<QPointF>> segmentsIn(const PlotAxes& axes, const ChartCurve& curve)
{
    auto segments = segmentsOf(curve.points, axes);
    joinBeyond(segments, kMostSegments);
    return segments;
}

} // namespace

CurveLayer::CurveLayer()
    : m_chart(new QChart)
    , m_xAxis(new QValueAxis(m_chart))
    , m_yAxis(new QValueAxis(m_chart))
{
    m_scene.setItemIndexMethod(QGraphicsScene::NoIndex); // a handful of lines, often moved
    m_scene.addItem(m_chart);
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->setMargins({});
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    for (QValueAxis* axis : { m_xAxis, m_yAxis })
        // PlotFrame paints ticks and labels itself; the axes only map values to pixels.
        axis->setVisible(false);
    m_chart->addAxis(m_xAxis, Qt::AlignBottom);
    m_chart->addAxis(m_yAxis, Qt::AlignLeft);
}

void CurveLayer::paint(QPainter& painter, const QRectF& exposed, const PlotAxes& axes,
    const std::vector<ChartCurve>& curves)
{
    if (!m_valid)
        fill(axes, curves);
    m_valid = true;
    m_chart->layout()->activate(); // Qt Charts would place its items in a later event
    painter.setRenderHint(QPainter::Antialiasing, areSmooth(curves));
    // Not by QGraphicsScene::render, which paints all lines if one of them is visible.
    const QStyleOptionGraphicsItem option;
    for (QGraphicsItem* item :
        m_scene.items(exposed, Qt::IntersectsItemBoundingRect, Qt::AscendingOrder)) {
        painter.save();
        painter.setTransform(item->sceneTransform(), true);
        item->paint(&painter, &option, nullptr);
        painter.restore();
    }
}

void CurveLayer::fill(const PlotAxes& axes, const std::vector<ChartCurve>& curves)
{
    const QRectF area = axes.area();
    m_chart->resize(area.right(), area.bottom());
    // Otherwise the scene requests the bounds of all items
    m_scene.setSceneRect(m_chart->geometry());
    m_chart->setPlotArea(area);
    m_xAxis->setRange(axes.x.low, axes.x.high);
    m_yAxis->setRange(axes.y.low, axes.y.high);
    m_used = 0;
    // Series are painted in their order: faint curves must be behind the others.
    for (const bool faint : { true, false })
        for (const ChartCurve& curve : curves)
            if (curve.faint == faint && !isDotsAlone(curve) && !curve.levels)
                for (const QList<QPointF>& segment : segmentsIn(axes, curve))
                    addLine(curve, hasDots(curve) ? segment : withoutLevelPoints(segment));
    // Series are retained for later curves. Their points are removed: a hidden series still has its
    // outline.
    for (std::size_t i = m_used; i < m_series.size(); ++i) {
        m_series[i]->hide();
        m_series[i]->replace(QList<QPointF>());
    }
}

// A line is drawn as a settled part and a short tail, because Qt Charts outlines all points of a
// series that receives a new one. Solid lines have no joins that a cut would show.
void CurveLayer::addLine(const ChartCurve& curve, const QList<QPointF>& line)
{
    const bool whole = curve.line != Qt::SolidLine || line.size() <= kTail;
    const qsizetype settled = whole ? line.size() : line.size() - line.size() % kTail;
    addSeries(curve, line.first(settled));
    if (settled < line.size())
        // The tail begins at the last settled point, or there would be a gap between the two.
        addSeries(curve, line.sliced(settled - 1));
}

void CurveLayer::addSeries(const ChartCurve& curve, const QList<QPointF>& points)
{
    QLineSeries* series = seriesAt(m_used++);
    series->setPen(linePen(curve));
    series->setPointsVisible(hasDots(curve) || points.size() == 1);
    series->setMarkerSize(kDotRadius); // Qt Charts treats the size as the radius
    // The settled part of a growing line is the same for most paints; its outline is reused.
    if (!samePoints(series->points(), points))
        series->replace(points);
    series->show();
}

QLineSeries* CurveLayer::seriesAt(std::size_t index)
{
    while (m_series.size() <= index) {
        auto* series = new QLineSeries(m_chart);
        m_chart->addSeries(series);
        series->attachAxis(m_xAxis);
        series->attachAxis(m_yAxis);
        m_series.push_back(series);
    }
    return m_series[index];
}

void writeCurve(QPainter& painter, const PlotAxes& axes, const ChartCurve& curve)
{
    writeCurve(painter, axes, curve, linePen(curve));
}

void writeCurve(QPainter& painter, const PlotAxes& axes, const ChartCurve& curve, const QPen& pen)
{
    const auto& [x, y] = axes;
    const QRectF window(QPointF(x.low, y.low), QPointF(x.high, y.high));
    for (const QList<QPointF>& segment : segmentsIn(axes, curve)) {
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        if (!isDotsAlone(curve))
            for (QList<QPointF> part : clipped(withoutLevelPoints(segment), window)) {
                for (QPointF& point : part)
                    point = { x.pixel(point.x()), y.pixel(point.y()) };
                painter.drawPolyline(part.data(), static_cast<int>(part.size()));
            }
        if (!hasDots(curve) && segment.size() > 1)
            continue;
        for (const QPointF& point : segment)
            if (window.contains(point))
                paintDot(painter, { x.pixel(point.x()), y.pixel(point.y()) }, pen.color(),
                    curve.shape, isDotsAlone(curve) ? kLoneDotRadius : kDotRadius);
    }
}

} // namespace accrue
