// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_input.h"

#include "ui/charts/plot_axes.h"
#include "ui/charts/plot_look.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace accrue {

PlotInput::PlotInput(QWidget& frame, Plot& plot, const PlotLegend& legend, const PlotAxes& axes)
    : QObject(&frame)
    , m_frame(frame)
    , m_plot(plot)
    , m_legend(legend)
    , m_axes(axes)
{
    frame.setFocusPolicy(Qt::StrongFocus);
    // Hover needs moves without a pressed button.
    frame.setMouseTracking(true);
    frame.installEventFilter(this);
}

QString PlotInput::explanation() const
{
    const auto& entries = m_legend.entries();
    return m_explained && *m_explained < entries.size() ? entries[*m_explained].entry.meaning
                                                        : QString();
}

void PlotInput::forgetStop()
{
    if (!isActive())
        return;
    m_stop.reset();
    m_drag = {};
    m_frame.update();
}

// Mouse events end here: a chart is on cards that would treat a press as their own.
bool PlotInput::eventFilter(QObject*, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        press(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseMove:
        move(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseButtonRelease:
        release(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseButtonDblClick:
        m_pressed.reset();
        if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
            m_plot.resetZoom();
        return true;
    case QEvent::Leave:
    case QEvent::FocusOut:
        forgetStop();
        return false;
    case QEvent::KeyPress:
        return useKey(static_cast<QKeyEvent*>(event)->key());
    case QEvent::ToolTip:
        return showMeaning(*static_cast<QHelpEvent*>(event));
    default:
        return false;
    }
}

// ---- mouse -----------------------------------------------------------------------------------

void PlotInput::press(const QMouseEvent& event)
{
    if (event.button() == Qt::LeftButton && m_plot.canZoom() && !m_plot.isEmpty()
        && m_axes.area().contains(event.position()))
        m_pressed = event.pos();
}

void PlotInput::move(const QMouseEvent& event)
{
    // Until a press has moved far enough it may be a click, and hover continues.
    const bool far = m_pressed
        && (event.pos() - *m_pressed).manhattanLength() >= QApplication::startDragDistance();
    const QRectF area = m_axes.area();
    if (far) {
        m_drag = QRect(*m_pressed, event.pos()).normalized() & area.toRect();
    } else if (area.contains(event.position()) && !m_plot.isEmpty()) {
        m_drag = {};
        m_mouseY = event.position().y();
        m_stop = m_plot.stopAt(event.position());
    } else {
        forgetStop();
        return;
    }
    m_frame.update();
}

void PlotInput::release(const QMouseEvent& event)
{
    if (!m_pressed || event.button() != Qt::LeftButton)
        return;
    const QRect dragged = QRect(*m_pressed, event.pos()).normalized() & m_axes.area().toRect();
    // Before the zoom, which lays the chart out: a rectangle of pixels means nothing on the new
    // axes.
    m_pressed.reset();
    forgetStop();
    if (dragged.width() >= QApplication::startDragDistance()) // a narrow drag is a click
        m_plot.zoomTo(dragged);
}

bool PlotInput::showMeaning(const QHelpEvent& event) const
{
    for (const auto& [entry, rect] : m_legend.entries())
        if (rect.contains(event.pos()) && !entry.meaning.isEmpty()) {
            QToolTip::showText(event.globalPos(), entry.meaning, &m_frame, rect.toRect());
            return true;
        }
    return false; // the widget's own tooltip
}

// ---- keyboard --------------------------------------------------------------------------------

bool PlotInput::useKey(int key)
{
    bool used = false;
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        used = step(key == Qt::Key_Left ? -1 : 1);
    else if (key == Qt::Key_Up || key == Qt::Key_Down)
        used = explain(key == Qt::Key_Up);
    else if (key == Qt::Key_Escape)
        used = leave();
    if (!used)
        return false;
    m_frame.update();
    Q_EMIT keyUsed();
    return true;
}

bool PlotInput::step(int direction)
{
    // False passes the key to the page around the chart, such as a scroll area.
    if (m_plot.isEmpty())
        return false;
    const std::optional<double> next = m_plot.nextStop(m_stop, direction);
    if (next && next != m_stop) {
        m_stop = next;
        // A key press has no height that the box could be placed at.
        m_mouseY = m_axes.area().center().y();
    }
    return true;
}

bool PlotInput::explain(bool previous)
{
    const auto& entries = m_legend.entries();
    const auto isSilent = [](const auto& each) { return each.entry.meaning.isEmpty(); };
    if (std::all_of(entries.begin(), entries.end(), isSilent))
        return false;
    const std::size_t last = entries.size() - 1;
    if (!m_explained)
        m_explained = previous ? last : 0;
    else if (previous)
        m_explained = *m_explained == 0 ? 0 : *m_explained - 1;
    else
        m_explained = std::min(last, *m_explained + 1);
    // The same text that the mouse gets as a tooltip, at the same place, for users without one.
    const QPoint below = entries[*m_explained].rect.bottomLeft().toPoint();
    QToolTip::showText(m_frame.mapToGlobal(below), explanation(), &m_frame);
    return true;
}

// Escape leaves one thing at a time: the zoom before the chosen stop or entry.
bool PlotInput::leave()
{
    if (m_plot.isZoomed()) {
        m_plot.resetZoom();
        return true;
    }
    if (!m_stop && !m_explained)
        return false;
    if (std::exchange(m_explained, std::nullopt))
        QToolTip::hideText();
    forgetStop();
    return true;
}

// ---- painting --------------------------------------------------------------------------------

void PlotInput::paint(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_drag.isNull()) {
        const QColor accent = m_frame.palette().color(QPalette::Highlight);
        painter.setPen(accent);
        painter.setBrush(withAlpha(accent, 40));
        painter.drawRect(QRectF(m_drag).adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    if (m_stop && !m_plot.isEmpty()) {
        m_plot.paintStop(painter, *m_stop);
        paintHoverBox(painter, PlotLook(m_frame), m_frame.size(), m_plot.boxAt(*m_stop), m_mouseY);
    }
    if (m_explained && *m_explained < m_legend.entries().size()) {
        painter.setPen(QPen(m_frame.palette().color(QPalette::Link), 2));
        painter.setBrush(Qt::NoBrush);
        const QRectF& entry = m_legend.entries()[*m_explained].rect;
        painter.drawRoundedRect(entry.adjusted(-3, 0, -11, 0), 3, 3);
    }
}

} // namespace accrue
