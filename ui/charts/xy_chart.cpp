// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/xy_chart.h"

#include <QAction>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

constexpr double kPad = 0.012; // of the x axis beside the data, so that dots at its ends are whole
constexpr int kFlat = 24; // pixels: a drag below that height zooms x alone
constexpr double kMostHeight = 4; // times the whole y axis may be shown
constexpr double kLeastSpan = 1e-9; // of the numbers on an axis: doubles cannot tell fewer apart

AxisSpan zoomed(const PlotAxis& axis, double around, double factor)
{
    return { around - (around - axis.low) * factor, around + (axis.high - around) * factor };
}

AxisSpan moved(const PlotAxis& axis, double pixels)
{
    const double by = pixels * (axis.high - axis.low) / (axis.last - axis.first);
    return { axis.low + by, axis.high + by };
}

// Moved into `most` times `whole`; nothing if that is not more than `whole` itself.
std::optional<AxisSpan> inside(AxisSpan span, const AxisSpan& whole, double most)
{
    const double all = whole.high - whole.low;
    const double beside = (most - 1) / 2 * all;
    const double low = whole.low - beside;
    const double high = whole.high + beside;
    const double least = std::max(std::abs(span.low), std::abs(span.high)) * kLeastSpan;
    const double size = std::max(span.high - span.low, least);
    if (most == 1 && size >= (high - low) * (1 - kLeastSpan))
        return std::nullopt;
    const double from = std::clamp(span.low, low, std::max(low, high - size));
    span = { from, std::min(from + size, high) };
    return span == whole ? std::nullopt : std::optional(span);
}

} // namespace

XyChart::XyChart(QWidget* parent)
    : PlotFrame(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void XyChart::setAxisTitles(const QString& x, const QString& y)
{
    if (m_axes.x.title == x && m_axes.y.title == y)
        return;
    m_axes.x.title = x;
    m_axes.y.title = y;
    contentChanged();
}

void XyChart::setXFormatter(ValueFormatter text, PlotAxis::Ticks ticks)
{
    m_axes.x.text = std::move(text);
    m_axes.x.ticks = ticks;
    contentChanged();
}

void XyChart::setLogX(bool on)
{
    // The ranges are in axis units, which are others now.
    if (std::exchange(m_axes.x.logarithmic, on) != on)
        resetAxes();
}

void XyChart::setLogY(bool on)
{
    // Emitted for a change only: a check box follows the chart and sets it, and would otherwise
    // receive its own click.
    if (std::exchange(m_axes.y.logarithmic, on) == on)
        return;
    resetAxes();
    Q_EMIT logYChanged(on);
}

// ---- what the axes show ----------------------------------------------------------------------

AxisRange XyChart::Follower::widened(double low, double high, const PlotAxis& axis) const
{
    const double from = axis.axis(least);
    const double to = axis.axis(most);
    return { std::isfinite(from) ? std::min(low, from) : low,
        std::isfinite(to) ? std::max(high, to) : high };
}

void XyChart::setXRangeHint(double low, double high)
{
    m_x.least = low;
    m_x.most = high;
    // Charts of one run get a hint with every look at the log. One that the axis holds is stored
    // only: no layout and no paint.
    if (!m_x.range)
        return;
    const AxisRange held = *m_x.range;
    const AxisRange wanted = m_x.widened(held.low, held.high, m_axes.x);
    if (wanted.low < held.low || wanted.high > held.high)
        showData();
}

void XyChart::setYRangeHint(double low, double high)
{
    m_y.least = low;
    m_y.most = high;
    showData();
}

bool XyChart::followData()
{
    if (const CurveExtent held = extent(); !held.isEmpty()) {
        const AxisRange x = m_x.widened(held.lowX, held.highX, m_axes.x);
        const AxisRange y = m_y.widened(held.lowY, held.highY, m_axes.y);
        m_x.range = niceRange(x.low, x.high, m_x.range, xGrowth());
        m_y.range = niceRange(y.low, y.high, m_y.range);
    }
    const AxisSpan beforeX { m_axes.x.low, m_axes.x.high };
    const AxisSpan beforeY { m_axes.y.low, m_axes.y.high };
    // Ranges grow below a zoom, too, so that leaving it shows a live run as far as it has come.
    // A zoomed view does not move.
    const AxisSpan x = m_xZoom ? *m_xZoom : m_x.range ? fullX() : beforeX;
    const AxisSpan y = m_yZoom ? *m_yZoom : m_y.range ? fullY() : beforeY;
    m_axes.x.low = x.low;
    m_axes.x.high = x.high;
    m_axes.y.low = y.low;
    m_axes.y.high = y.high;
    return x != beforeX || y != beforeY;
}

AxisSpan XyChart::fullX() const
{
    const double pad = (m_x.range->high - m_x.range->low) * kPad;
    return { m_x.range->low - pad, m_x.range->high + pad };
}

AxisSpan XyChart::fullY() const
{
    return { m_y.range->low, m_y.range->high };
}

void XyChart::showData()
{
    followData();
    contentChanged();
}

void XyChart::chooseRangesAgain()
{
    m_x.range.reset();
    m_y.range.reset();
    showData();
}

void XyChart::resetAxes()
{
    // Range and layout only grow while data is followed: other data must start from nothing.
    const bool wasZoomed = isZoomed();
    m_xZoom.reset();
    m_yZoom.reset();
    m_x.range.reset();
    m_y.range.reset();
    forgetLayout();
    showData();
    if (wasZoomed)
        Q_EMIT zoomChanged(false);
}

QRectF XyChart::visibleRange() const
{
    const auto& [x, y] = m_axes;
    return QRectF(
        QPointF(x.value(x.low), y.value(y.low)), QPointF(x.value(x.high), y.value(y.high)));
}

// ---- zoom ------------------------------------------------------------------------------------

bool XyChart::applyZoom(const std::optional<AxisSpan>& x, const std::optional<AxisSpan>& y)
{
    const bool was = isZoomed();
    const bool xMoved = x != m_xZoom;
    if (!xMoved && y == m_yZoom)
        return false;
    m_xZoom = x;
    m_yZoom = y;
    zoomMoves();
    showData();
    if (was != isZoomed())
        Q_EMIT zoomChanged(!was);
    return xMoved;
}

void XyChart::setZoom(const std::optional<AxisSpan>& x, const std::optional<AxisSpan>& y)
{
    if (applyZoom(x, y))
        Q_EMIT xZoomed();
}

void XyChart::setXZoom(const std::optional<AxisSpan>& zoom)
{
    applyZoom(zoom, m_yZoom);
}

void XyChart::zoomTo(const QRect& pixels)
{
    const auto& [x, y] = m_axes;
    // A drag along the x axis is never quite level, and zooming y to its few pixels is never meant.
    const bool flat = pixels.height() < kFlat;
    const AxisSpan xs { x.axisAt(pixels.left()), x.axisAt(pixels.right()) };
    const AxisSpan ys { y.axisAt(pixels.bottom()), y.axisAt(pixels.top()) };
    setZoom(xs, flat ? m_yZoom : std::optional(ys));
}

void XyChart::zoomBy(const QPointF& pixel, double xFactor, double yFactor)
{
    if (!m_x.range || !m_y.range)
        return;
    const AxisSpan x = zoomed(m_axes.x, m_axes.x.axisAt(pixel.x()), xFactor);
    const AxisSpan y = zoomed(m_axes.y, m_axes.y.axisAt(pixel.y()), yFactor);
    setZoom(xFactor == 1 ? m_xZoom : inside(x, fullX(), 1),
        yFactor == 1 ? m_yZoom : inside(y, fullY(), kMostHeight));
}

void XyChart::panBy(const QPointF& pixels)
{
    if (!m_x.range || !m_y.range)
        return;
    const AxisSpan x = moved(m_axes.x, -pixels.x());
    const AxisSpan y = moved(m_axes.y, -pixels.y());
    // An axis that shows everything has nowhere to go; a pan of y may show what is beyond it.
    setZoom(pixels.x() == 0 || !m_xZoom ? m_xZoom : inside(x, fullX(), 1),
        pixels.y() == 0 ? m_yZoom : inside(y, fullY(), kMostHeight));
}

void XyChart::resetZoom()
{
    setZoom(std::nullopt, std::nullopt);
}

void XyChart::addMenuActions(QMenu& menu)
{
    QAction* whole = menu.addAction(tr("Reset zoom"), this, &XyChart::resetZoom);
    whole->setEnabled(isZoomed());
    QAction* logarithmic = menu.addAction(tr("Logarithmic y axis"));
    logarithmic->setCheckable(true);
    logarithmic->setChecked(m_axes.y.logarithmic);
    connect(logarithmic, &QAction::toggled, this, &XyChart::setLogY);
    menu.addSeparator();
}

} // namespace accrue
