// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_frame.h"

#include "ui/charts/live_description.h"
#include "ui/charts/plot_input.h"
#include "ui/charts/plot_look.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

// Three ways to be painted again, by what changed: contentChanged() lays everything out,
// contentGrew() paints right of a pixel, marksChanged() paints all of it in the old layout. A live
// run needs the second way nearly always, because its axes do not change while its data fits into
// them.

namespace accrue {

namespace {

constexpr double kLabelStep = 12; // pixels by which the width for tick labels grows
constexpr double kBesideLabels = 6; // pixels between tick labels and plot
constexpr double kLinearTickHeight = 44; // pixels for each tick
constexpr double kLogTickHeight = 32;
constexpr double kTickWidth = 90;

} // namespace

PlotFrame::PlotFrame(QWidget* parent)
    : PicturedChart(parent)
    , m_input(new PlotInput(*this, *this, m_legend, m_axes))
    , m_description(new LiveDescription(this, [this] {
        if (isEmpty())
            return m_emptyText;
        const QString asked = m_input->explanation(); // the last request comes first
        return asked.isEmpty() ? description() : asked + QStringLiteral("; ") + description();
    }))
{
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing below is painted for it
    connect(m_input, &PlotInput::keyUsed, m_description, &LiveDescription::refresh);
    connect(m_input, &PlotInput::stopChanged, this, &PlotFrame::stopChanged);
}

void PlotFrame::setEmptyText(const QString& text)
{
    m_emptyText = text;
    contentChanged();
}

void PlotFrame::setValueFormatter(ValueFormatter text, PlotAxis::Ticks ticks)
{
    m_axes.y.text = std::move(text);
    m_axes.y.ticks = ticks;
    forgetLayout();
    contentChanged();
}

void PlotFrame::setLeastLeft(int pixels)
{
    // Without this comparison aligned charts would lay each other out without end.
    if (std::exchange(m_leastLeft, pixels) != pixels)
        contentChanged();
}

const std::optional<double>& PlotFrame::stop() const
{
    return m_input->stop();
}

void PlotFrame::showLinkedStop(const std::optional<double>& stop)
{
    m_input->showLinkedStop(stop);
}

void PlotFrame::setRoomForButtons(int pixels)
{
    m_roomForButtons = pixels;
    marksChanged();
}

void PlotFrame::forgetStop()
{
    m_input->forgetStop();
}

// ---- changes ---------------------------------------------------------------------------------

void PlotFrame::contentChanged()
{
    // The entry may be another one, or none, in the new legend.
    m_input->forgetExplanation();
    layOut();
    m_description->refresh();
    marksChanged();
}

// Nothing moves left of that pixel, so that only the rest is painted: a run that grows changes
// little with each look. The box over a stored picture may change anywhere.
void PlotFrame::contentGrew(double fromPixel)
{
    m_painted = {};
    m_description->refresh();
    QRect changed = rect();
    if (!m_input->isActive() && fromPixel > 0) // false for NaN, too
        changed.setLeft(static_cast<int>(std::floor(std::min(fromPixel, double(width())))));
    update(changed);
}

void PlotFrame::marksChanged()
{
    m_painted = {};
    update();
}

void PlotFrame::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
    marksChanged();
}

// ---- layout ----------------------------------------------------------------------------------

void PlotFrame::layOut()
{
    const PlotLook look(*this);
    const QFontMetricsF small(look.small);
    double top = kPlotEdge;
    if (!title().isEmpty())
        top += std::ceil(QFontMetricsF(font()).height()) + 4;
    top += m_legend.layOut(legend(), look, size(), top);
    top += roomAbove(small.height());
    double bottom = height() - kPlotEdge;
    if (m_axes.x.text)
        bottom += kPlotEdge / 2 - small.height() - 4;
    if (!m_axes.x.title.isEmpty())
        bottom -= small.height();
    const double left = kPlotEdge + (m_axes.y.title.isEmpty() ? 0 : small.height());

    const double tickHeight = m_axes.y.logarithmic ? kLogTickHeight : kLinearTickHeight;
    m_yTicks = m_axes.y.ticksFor(std::max(2, static_cast<int>((bottom - top) / tickHeight)));
    double widest = 24;
    for (const double tick : m_yTicks)
        widest = std::max(widest, small.horizontalAdvance(m_axes.y.textAt(tick)));
    // In steps, and never narrower: “9” that becomes “10” must not move the plot back and forth.
    m_labelWidth = std::max(m_labelWidth, std::ceil(widest / kLabelStep) * kLabelStep);

    const int needed = static_cast<int>(std::ceil(left + m_labelWidth + kBesideLabels));
    const double begin = std::max(needed, m_leastLeft);
    // A plot has some width and height in the smallest window, too: axes divide by them.
    const double end = std::max(begin + 14, width() - 2 * kPlotEdge);
    m_axes.setArea(QRectF(QPointF(begin, top), QPointF(end, std::max(top + 10, bottom))));
    m_xTicks = m_axes.x.ticksFor(std::max(2, static_cast<int>((end - begin) / kTickWidth)));
    axesMoved();
    // Last, when the areas are set: an owner that aligns charts calls setLeastLeft() from here,
    // which lays this chart out once more and then finds nothing changed.
    if (std::exchange(m_neededLeft, needed) != needed)
        Q_EMIT neededLeftChanged();
}

// ---- painting --------------------------------------------------------------------------------

// A painted chart is stored only while the mouse moves over it: a live chart changes with each
// paint.
void PlotFrame::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    if (m_input->isActive())
        painter.drawPixmap(0, 0, painted());
    else
        paintAll(painter, event->rect(), Medium::Raster);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(palette().color(QPalette::Link), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
    m_input->paint(painter);
}

const QPixmap& PlotFrame::painted()
{
    const qreal ratio = devicePixelRatioF();
    // Also painted again after the window moved to a screen of another density.
    if (m_painted.size() == size() * ratio)
        return m_painted;
    m_painted = QPixmap(size() * ratio);
    m_painted.setDevicePixelRatio(ratio);
    QPainter painter(&m_painted);
    paintAll(painter, rect(), Medium::Raster);
    return m_painted;
}

void PlotFrame::paintAll(QPainter& painter, const QRectF& exposed, Medium medium)
{
    const PlotLook look(*this);
    painter.fillRect(rect(), look.color(QPalette::Base));
    if (!isEmpty()) {
        painter.save();
        paintGrid(painter, look);
        paintData(painter, exposed, medium);
        painter.restore();
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintTitle(painter, look, exposed);
    if (isEmpty()) {
        painter.setFont(look.font);
        painter.setPen(look.muted(0.65));
        painter.drawText(QRectF(rect()).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    paintTicks(painter, look, exposed);
    paintAxisTitles(painter, look, exposed);
    m_legend.paint(painter, look, exposed);
    paintMarks(painter);
}

void PlotFrame::paintGrid(QPainter& painter, const PlotLook& look) const
{
    const QRectF area = m_axes.area();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(look.muted(0.12), 1));
    for (const double tick : m_yTicks) {
        const double y = std::round(m_axes.y.pixel(tick));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    painter.setPen(QPen(look.muted(0.35), 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    for (const double tick : m_xTicks) {
        const double x = std::round(m_axes.x.pixel(tick));
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3));
    }
}

void PlotFrame::paintTitle(QPainter& painter, const PlotLook& look, const QRectF& exposed) const
{
    QFont bold = look.font;
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(bold);
    const QRectF row(
        kPlotEdge, kPlotEdge, width() - 2 * kPlotEdge - m_roomForButtons, metrics.height());
    const QString shown = metrics.elidedText(title(), Qt::ElideRight, row.width());
    painter.setFont(bold);
    painter.setPen(look.color(QPalette::Text));
    if (exposed.left() < row.left() + metrics.horizontalAdvance(shown))
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, shown);
    // One of the buttons resets the zoom.
    if (!isZoomed() || isEmpty() || m_roomForButtons > 0)
        return;
    painter.setFont(look.small);
    painter.setPen(look.muted(0.72));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, tr("Zoomed; double-click to reset"));
}

// Only what is exposed: to set text takes longer than to paint it.
void PlotFrame::paintTicks(QPainter& painter, const PlotLook& look, const QRectF& exposed) const
{
    const QFontMetricsF small(look.small);
    const QRectF area = m_axes.area();
    painter.setFont(look.small);
    painter.setPen(look.muted(0.72));
    for (const double tick : m_yTicks) {
        const QRectF place(area.left() - m_labelWidth - kBesideLabels,
            m_axes.y.pixel(tick) - small.height() / 2, m_labelWidth, small.height());
        if (place.intersects(exposed))
            painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, m_axes.y.textAt(tick));
    }
    double free = 0; // where the last label ended
    for (const double tick : m_xTicks) {
        const QString text = m_axes.x.textAt(tick);
        const double wide = small.horizontalAdvance(text);
        const double left = std::min(m_axes.x.pixel(tick) - wide / 2, width() - wide - 2);
        // A label that would touch the one before is left out; its tick stays.
        if (left < free)
            continue;
        const QRectF place(left, area.bottom() + 4, wide + 1, small.height());
        if (place.intersects(exposed))
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
        free = left + wide + 10;
    }
}

void PlotFrame::paintAxisTitles(
    QPainter& painter, const PlotLook& look, const QRectF& exposed) const
{
    const QRectF area = m_axes.area();
    const double line = look.smallHeight();
    painter.drawText(QRectF(area.left(), area.bottom() + 3 + line, area.width(), line),
        Qt::AlignHCenter | Qt::AlignVCenter, m_axes.x.title);
    if (m_axes.y.title.isEmpty() || exposed.left() >= kPlotEdge + line)
        return;
    painter.save();
    painter.translate(kPlotEdge, area.center().y());
    painter.rotate(-90);
    painter.drawText(
        QRectF(-area.height() / 2, 0, area.height(), line), Qt::AlignCenter, m_axes.y.title);
    painter.restore();
}

void PlotFrame::paintStopLine(QPainter& painter, double x) const
{
    painter.setPen(withAlpha(palette().color(QPalette::Text), 120));
    painter.drawLine(QPointF(x, m_axes.y.last), QPointF(x, m_axes.y.first));
}

void PlotFrame::paintPicture(QPainter& painter, Medium medium)
{
    paintAll(painter, rect(), medium);
}

} // namespace accrue
