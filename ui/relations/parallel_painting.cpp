// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/parallel_painting.h"

#include "ui/charts/curve_look.h"
#include "ui/charts/plot_look.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {

namespace {

constexpr std::size_t kSmoothSegments = 3000; // of all lines
constexpr std::size_t kWideLines = 60;
constexpr double kBrushWidth = 14; // pixels
constexpr double kGradientWidth = 6;
constexpr double kLabelGap = 5; // between an axis and its labels

using Placed = ParallelPlot::Placed;

// The parts of a line between the places where it has no value.
std::vector<QPolygonF> partsOf(const ParallelPlot& plot, std::size_t line)
{
    std::vector<QPolygonF> parts;
    bool isOpen = false;
    for (std::size_t axis = 0; axis < plot.axes().size(); ++axis) {
        const QPointF at = plot.pointOf(line, axis);
        const bool hasValue = std::isfinite(at.y());
        if (hasValue && !isOpen)
            parts.emplace_back();
        if (hasValue)
            parts.back().append(at);
        isOpen = hasValue;
    }
    return parts;
}

void paintParts(QPainter& painter, const ParallelPlot& plot, std::size_t line)
{
    for (const QPolygonF& part : partsOf(plot, line))
        if (part.size() == 1) // between two axes without a value
            painter.drawEllipse(part.front(), 1.5, 1.5);
        else
            painter.drawPolyline(part);
}

// Two lines of text; the second one ends in "…" if the rest is longer.
QStringList linesOf(const QString& text, const QFontMetricsF& metrics, double width)
{
    if (metrics.horizontalAdvance(text) <= width)
        return { text };
    qsizetype fits = 1;
    while (fits < text.size() && metrics.horizontalAdvance(text.left(fits + 1)) <= width)
        ++fits;
    // At a blank if there is one, also behind a word that is too long; Chinese has none.
    const qsizetype before = text.lastIndexOf(QLatin1Char(' '), fits);
    const qsizetype blank = before > 0 ? before : text.indexOf(QLatin1Char(' '));
    const qsizetype end = blank > 0 ? blank : fits;
    return { metrics.elidedText(text.left(end), Qt::ElideRight, width),
        metrics.elidedText(text.mid(end).trimmed(), Qt::ElideRight, width) };
}

void paintTitle(QPainter& painter, const PlotLook& look, const Placed& axis)
{
    QFont bold = look.small;
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(bold);
    painter.setFont(bold);
    painter.setPen(look.color(QPalette::Text));
    painter.drawText(axis.title, Qt::AlignHCenter | Qt::AlignBottom,
        linesOf(axis.axis.title, metrics, axis.title.width()).join(QLatin1Char('\n')));
}

// Points to where the axis rises.
void paintArrow(QPainter& painter, const PlotLook& look, const Placed& axis)
{
    const double up = axis.axis.isInverted ? -1 : 1;
    const QPointF middle = axis.arrow.center();
    const std::array corners { middle + QPointF(-5, 3.5 * up), middle + QPointF(5, 3.5 * up),
        middle + QPointF(0, -4.5 * up) };
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.muted(0.72));
    painter.drawPolygon(corners.data(), static_cast<int>(corners.size()));
}

QLinearGradient gradientOf(const Placed& axis, Background background)
{
    QLinearGradient gradient(0, axis.scale.first, 0, axis.scale.last);
    for (int i = 0; i <= 6; ++i)
        gradient.setColorAt(i / 6.0, shareColor(i / 6.0, background));
    return gradient;
}

void paintRule(QPainter& painter, const ParallelPlot& plot, const PlotLook& look,
    const Placed& axis, const std::optional<QLinearGradient>& gradient)
{
    const QRectF area = plot.area();
    if (gradient) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(*gradient);
        painter.drawRect(
            QRectF(axis.x - kGradientWidth / 2, area.top(), kGradientWidth, area.height()));
    } else {
        painter.setPen(QPen(look.muted(0.6), 1.5));
        painter.drawLine(QPointF(axis.x, area.top()), QPointF(axis.x, area.bottom()));
    }
    if (!axis.brush)
        return;
    const double low = axis.scale.pixel(axis.brush->low);
    const double high = axis.scale.pixel(axis.brush->high);
    const QColor accent = look.color(QPalette::Highlight);
    painter.setPen(QPen(accent, 1.5));
    painter.setBrush(withAlpha(accent, 70));
    painter.drawRoundedRect(QRectF(axis.x - kBrushWidth / 2, std::min(low, high) - 1, kBrushWidth,
                                std::abs(high - low) + 2),
        3, 3);
}

// A label that would touch the one before is left out.
void paintTicks(QPainter& painter, const ParallelPlot& plot, const PlotLook& look,
    const Placed& axis, bool isFirst)
{
    const QFontMetricsF small(look.small);
    const double width = isFirst ? axis.x - kLabelGap - 2 : plot.spacing() - 2 * kLabelGap - 4;
    double free = plot.area().bottom() + small.height();
    std::vector<double> ticks = axis.ticks;
    if (axis.axis.isInverted)
        std::reverse(ticks.begin(), ticks.end());
    for (const double tick : ticks) {
        const double y = axis.scale.pixel(tick);
        if (y + small.height() / 2 > free)
            continue;
        free = y - small.height() / 2;
        const QString all = axis.axis.categories.isEmpty() ? axis.scale.textAt(tick)
                                                           : axis.axis.titleOfCategory(tick);
        const QString text = small.elidedText(all, Qt::ElideMiddle, width);
        const double wide = small.horizontalAdvance(text) + 4;
        paintOnGround(painter, look,
            QRectF(axis.x - kLabelGap - wide, y - small.height() / 2, wide, small.height()), text);
        painter.setPen(look.muted(0.6));
        painter.drawLine(QPointF(axis.x - 3, y), QPointF(axis.x, y));
    }
}

void paintWithout(
    QPainter& painter, const ParallelPlot& plot, const PlotLook& look, const Placed& axis)
{
    if (axis.without == 0)
        return;
    const QFontMetricsF small(look.small);
    const QString text =
        QCoreApplication::translate("ParallelChart", "%1 without").arg(axis.without);
    painter.setFont(look.small);
    painter.setPen(look.muted(0.72));
    painter.drawText(
        QRectF(axis.title.left(), plot.area().bottom() + 6, axis.title.width(), small.height()),
        Qt::AlignCenter, small.elidedText(text, Qt::ElideRight, axis.title.width()));
}

} // namespace

void paintParallelLines(QPainter& painter, const ParallelPlot& plot,
    const std::vector<std::size_t>& lines, const std::function<QColor(std::size_t)>& colorOf,
    Plot::Medium medium)
{
    const bool isSmooth =
        medium == Plot::Medium::Vector || lines.size() * plot.axes().size() <= kSmoothSegments;
    const double width = lines.size() <= kWideLines ? 1.75 : 1;
    painter.setRenderHint(QPainter::Antialiasing, isSmooth);
    for (const std::size_t line : lines) {
        const QColor color = colorOf(line);
        painter.setPen(isSmooth ? penOf(color, plot.lines()[line].style, width) : QPen(color, 0));
        painter.setBrush(Qt::NoBrush);
        paintParts(painter, plot, line);
    }
}

void paintParallelLine(QPainter& painter, const ParallelPlot& plot, std::size_t line,
    const QColor& color, const QColor& ground)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ground, 7));
    paintParts(painter, plot, line);
    painter.setPen(QPen(color, 3));
    paintParts(painter, plot, line);
    for (std::size_t axis = 0; axis < plot.axes().size(); ++axis)
        if (const QPointF at = plot.pointOf(line, axis); std::isfinite(at.y()))
            paintDot(painter, at, color, Qt::SolidLine, 4);
}

void paintParallelAxes(QPainter& painter, const ParallelPlot& plot, const PlotLook& look,
    std::optional<std::size_t> coloured, Background background)
{
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < plot.axes().size(); ++i) {
        const Placed& axis = plot.axes()[i];
        paintRule(painter, plot, look, axis,
            coloured == i ? std::optional(gradientOf(axis, background)) : std::nullopt);
        paintTicks(painter, plot, look, axis, i == 0);
        paintArrow(painter, look, axis);
        paintTitle(painter, look, axis);
        paintWithout(painter, plot, look, axis);
    }
}

void paintChosenAxis(
    QPainter& painter, const ParallelPlot& plot, const PlotLook& look, std::size_t axis)
{
    const Placed& placed = plot.axes()[axis];
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(placed.title.united(placed.arrow).adjusted(-2, -2, 2, 1), 3, 3);
}

} // namespace accrue
