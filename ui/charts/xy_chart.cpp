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

} // namespace

XyChart::XyChart(QWidget* parent)
    : PlotFrame(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void XyChart::setAxisTitles(const QString& x, const QString& y)
{
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
        m_x.range = niceRange(x.low, x.high, m_x.range, Grow::HighOnly);
        m_y.range = niceRange(y.low, y.high, m_y.range);
    }
    const QRectF before(QPointF(m_axes.x.low, m_axes.y.low), QPointF(m_axes.x.high, m_axes.y.high));
    // Ranges grow below a zoom, too, so that leaving it shows a live run as far as it has come.
    // A zoomed view does not move.
    QRectF shown = m_zoom.value_or(before);
    if (!m_zoom && m_x.range && m_y.range) {
        // Beside the data, so that a dot at either end is not cut in two.
        const double pad = (m_x.range->high - m_x.range->low) * kPad;
        shown = QRectF(QPointF(m_x.range->low - pad, m_y.range->low),
            QPointF(m_x.range->high + pad, m_y.range->high));
    }
    m_axes.x.low = shown.left();
    m_axes.x.high = shown.right();
    m_axes.y.low = shown.top();
    m_axes.y.high = shown.bottom();
    return shown != before;
}

void XyChart::showData()
{
    followData();
    contentChanged();
}

void XyChart::resetAxes()
{
    // Range and layout only grow while data is followed: other data must start from nothing.
    const bool wasZoomed = std::exchange(m_zoom, std::nullopt).has_value();
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

void XyChart::zoomTo(const QRect& pixels)
{
    const auto& [x, y] = m_axes;
    // A drag along the x axis is never quite level, and zooming y to its few pixels is never meant.
    const bool flat = pixels.height() < kFlat;
    m_zoom = QRectF(QPointF(x.axisAt(pixels.left()), flat ? y.low : y.axisAt(pixels.bottom())),
        QPointF(x.axisAt(pixels.right()), flat ? y.high : y.axisAt(pixels.top())));
    showData();
    Q_EMIT zoomChanged(true);
}

void XyChart::resetZoom()
{
    if (!std::exchange(m_zoom, std::nullopt))
        return;
    showData();
    Q_EMIT zoomChanged(false);
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
