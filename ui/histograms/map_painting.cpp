// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/map_painting.h"

#include "ui/charts/curve_look.h"
#include "ui/charts/plot_look.h"
#include "ui/charts/scatter_chart.h"
#include "ui/histograms/histogram_map.h"
#include "ui/models/format.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr double kDot = 4; // radius, before a title
constexpr double kDotRoom = 14;
constexpr double kSignWidth = 22;
constexpr double kMedianWidth = 1.5;
constexpr int kEdgeAlpha = 150; // of 255, of the lines of 5 % and 95 %
constexpr int kScaleColors = 9;

QPen medianPen(const PlotLook& look)
{
    return QPen(look.color(QPalette::Text), kMedianWidth);
}

QPen edgePen(const PlotLook& look)
{
    return QPen(withAlpha(look.color(QPalette::Text), kEdgeAlpha), 1);
}

PlotSign lineSign(const QPen& pen)
{
    return { kSignWidth, [pen](QPainter& painter, const QPointF& middle) {
                const QPointF half(kSignWidth / 2, 0);
                painter.setPen(pen);
                painter.drawLine(middle - half, middle + half);
            } };
}

ScatterScale scaleOf(const PlotLook& look)
{
    ScatterScale scale { Ui::tr("Share of the values"), percentText(kPalestShare), percentText(1.0),
        {} };
    for (int i = 0; i < kScaleColors; ++i)
        scale.colors.push_back(
            shadeColor(shadeOf(std::pow(kPalestShare, 1 - i / (kScaleColors - 1.0))),
                look.muted(0.85), look.color(QPalette::Base)));
    return scale;
}

// Broken where a step has no finite number.
void paintLine(QPainter& painter, const std::vector<HistogramColumn>& columns,
    const PlacedMap& place, double HistogramColumn::*number)
{
    QPolygonF line;
    const auto end = [&] {
        painter.drawPolyline(line);
        line.clear();
    };
    for (const HistogramColumn& column : columns)
        if (const double value = column.*number; std::isfinite(value))
            line.append(place.axes.pixelOf(static_cast<double>(column.step), value));
        else
            end();
    end();
}

void paintLines(QPainter& painter, const PlotLook& look,
    const std::vector<HistogramColumn>& columns, const PlacedMap& place)
{
    painter.save();
    painter.setClipRect(place.axes.area());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(edgePen(look));
    paintLine(painter, columns, place, &HistogramColumn::below5);
    paintLine(painter, columns, place, &HistogramColumn::below95);
    painter.setPen(medianPen(look));
    paintLine(painter, columns, place, &HistogramColumn::median);
    painter.restore();
}

void paintTitle(
    QPainter& painter, const PlotLook& look, const HistogramPanel& panel, const QRectF& place)
{
    painter.setRenderHint(QPainter::Antialiasing);
    paintDot(
        painter, { place.left() + kDot + 1, place.center().y() }, panel.color, panel.line, kDot);
    painter.setFont(look.font);
    painter.setPen(look.color(QPalette::Text));
    const QRectF room = place.adjusted(kDotRoom, 0, 0, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(look.font).elidedText(panel.title, Qt::ElideMiddle, room.width()));
}

void paintValueTicks(QPainter& painter, const PlotLook& look, const PlacedMap& place)
{
    const QRectF area = place.axes.area();
    for (const double tick : place.yTicks) {
        const double y = place.axes.y.pixel(tick);
        painter.drawLine(QPointF(area.left() - 3, y), QPointF(area.left(), y));
        painter.drawText(QRectF(area.left() - 6 - place.labelWidth, y - look.smallHeight() / 2,
                             place.labelWidth, look.smallHeight()),
            Qt::AlignRight | Qt::AlignVCenter, place.axes.y.textAt(tick));
    }
}

// A label that would touch the one before is left out.
void paintStepTicks(QPainter& painter, const PlotLook& look, const PlacedMap& place)
{
    const QFontMetricsF small(look.small);
    const QRectF area = place.axes.area();
    double free = area.left() - kDotRoom;
    for (const double tick : place.xTicks) {
        const double x = place.axes.x.pixel(tick);
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3));
        const QString text = place.axes.x.textAt(tick);
        const double wide = small.horizontalAdvance(text) + 1;
        const double left = std::min(x - wide / 2, place.frame.right() - wide);
        if (left < free)
            continue;
        free = left + wide + 8;
        painter.drawText(QRectF(left, area.bottom() + 4, wide, small.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void paintRound(QPainter& painter, const QRectF& frame, const QPen& pen)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    painter.drawRoundedRect(frame, 4, 4);
}

} // namespace

std::vector<LegendEntry> mapLegend(const PlotLook& look)
{
    const ScatterScale scale = scaleOf(look);
    return {
        { scale.title, signOf(scale, QFontMetricsF(look.small)),
            Ui::tr("The share of the values in one 64th of the height, at that step. The scale is "
                   "logarithmic, so that few values far out are seen, too.") },
        { Ui::tr("median"), lineSign(medianPen(look)), Ui::tr("Half of the values are below") },
        { Ui::tr("5 % and 95 %"), lineSign(edgePen(look)),
            Ui::tr("9 of 10 values are between these lines") },
    };
}

void paintMap(QPainter& painter, const PlotLook& look, const HistogramPanel& panel,
    const PlacedMap& place, double ratio)
{
    const QRectF area = place.axes.area();
    const QSize pixels = (area.size() * ratio).toSize();
    painter.drawImage(area,
        histogramMap(
            panel.data->columns, place.axes, pixels, panel.color, look.color(QPalette::Base)));
    paintLines(painter, look, panel.data->columns, place);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(look.muted(0.35), 1));
    painter.drawRect(area);
    painter.setFont(look.small);
    painter.setPen(look.muted(0.72));
    paintValueTicks(painter, look, place);
    paintStepTicks(painter, look, place);
    paintTitle(painter, look, panel, place.title);
}

void paintMapStep(
    QPainter& painter, const PlotLook& look, const PlacedMap& place, std::int64_t step)
{
    const double x = place.axes.x.pixelOf(static_cast<double>(step));
    const QRectF area = place.axes.area();
    painter.setRenderHint(QPainter::Antialiasing);
    // On a veil: the map may be as dark as the line.
    painter.setPen(QPen(withAlpha(look.color(QPalette::Base), 190), 4));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    painter.setPen(QPen(look.color(QPalette::Link), 1.5));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

void paintMapMark(QPainter& painter, const PlotLook& look, const PlacedMap& place, MapMark mark)
{
    const QRectF frame = place.frame.adjusted(-4, -2, 4, 3);
    if (mark == MapMark::Selected)
        paintRound(painter, frame, QPen(look.color(QPalette::Link), 2));
    else
        paintRound(painter, frame, QPen(look.muted(0.5), 1));
}

} // namespace accrue
