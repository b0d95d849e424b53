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
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

constexpr double kNotch = 1.2; // by which a notch of the wheel zooms
constexpr double kKeyZoom = 1.5;
constexpr double kKeyMove = 0.1; // of the plot's width
constexpr int kNotchAngle = 120; // of QWheelEvent, in eighths of a degree
constexpr std::size_t kFewRows = 3; // values that a linked stop shows, too

} // namespace

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
    m_plot.mouseAt(std::nullopt);
    if (!m_stop && m_drag.isNull())
        return;
    m_drag = {};
    setStop(std::nullopt);
    m_frame.update();
}

void PlotInput::setStop(const std::optional<double>& stop)
{
    if (std::exchange(m_stop, stop) != stop)
        Q_EMIT stopChanged();
}

void PlotInput::showLinkedStop(const std::optional<double>& stop)
{
    if (std::exchange(m_linked, stop) != stop)
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
    case QEvent::Wheel:
        return turn(*static_cast<QWheelEvent*>(event));
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
        return useKey(*static_cast<QKeyEvent*>(event));
    case QEvent::ToolTip:
        return showMeaning(*static_cast<QHelpEvent*>(event));
    default:
        return false;
    }
}

// ---- mouse -----------------------------------------------------------------------------------

PlotInput::Drag PlotInput::dragAt(
    const QPointF& pixel, Qt::KeyboardModifiers keys, Qt::MouseButton button) const
{
    const QRectF area = m_axes.area();
    if (!m_plot.canZoom() || m_plot.isEmpty())
        return Drag::None;
    if (area.contains(pixel)) {
        if (button == Qt::MiddleButton || (keys & Qt::ShiftModifier) != 0)
            return Drag::MoveBoth;
        const bool selects = (keys & Qt::ControlModifier) != 0 || m_plot.dragSelects();
        return selects && m_plot.canSelect() ? Drag::Select : Drag::Zoom;
    }
    if (pixel.y() > area.bottom() && pixel.x() >= area.left())
        return Drag::MoveX;
    return pixel.x() < area.left() && pixel.y() >= area.top() ? Drag::MoveY : Drag::None;
}

void PlotInput::press(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton && event.button() != Qt::MiddleButton)
        return;
    m_dragged = dragAt(event.position(), event.modifiers(), event.button());
    if (m_dragged == Drag::None)
        return;
    m_pressed = event.pos();
    m_movedTo = event.position();
}

void PlotInput::move(const QMouseEvent& event)
{
    // Until a press has moved far enough it may be a click, and hover continues.
    const bool far = m_pressed
        && (event.pos() - *m_pressed).manhattanLength() >= QApplication::startDragDistance();
    if (far && m_dragged != Drag::Zoom && m_dragged != Drag::Select)
        return moveContent(event.position());
    if (far)
        m_drag = QRect(*m_pressed, event.pos()).normalized() & m_axes.area().toRect();
    else
        hover(event.position());
    m_frame.update();
}

void PlotInput::hover(const QPointF& pixel)
{
    const bool isOnPlot = m_axes.area().contains(pixel) && !m_plot.isEmpty();
    const Drag drag = dragAt(pixel, Qt::NoModifier, Qt::LeftButton);
    m_frame.setCursor(drag == Drag::MoveX ? Qt::SizeHorCursor
            : drag == Drag::MoveY         ? Qt::SizeVerCursor
            : drag == Drag::Select        ? Qt::CrossCursor
                                          : Qt::ArrowCursor);
    if (!isOnPlot)
        return forgetStop();
    m_drag = {};
    m_mouseY = pixel.y();
    m_plot.mouseAt(pixel);
    setStop(m_plot.stopAt(pixel));
}

void PlotInput::moveContent(const QPointF& pixel)
{
    const QPointF by = pixel - std::exchange(m_movedTo, pixel);
    forgetStop();
    m_plot.panBy({ m_dragged == Drag::MoveY ? 0 : by.x(), m_dragged == Drag::MoveX ? 0 : by.y() });
}

void PlotInput::release(const QMouseEvent& event)
{
    if (!m_pressed || (event.button() != Qt::LeftButton && event.button() != Qt::MiddleButton))
        return;
    const QPoint from = *m_pressed;
    m_pressed.reset();
    if ((event.pos() - from).manhattanLength() < QApplication::startDragDistance())
        return click(event);
    const QRect dragged = QRect(from, event.pos()).normalized() & m_axes.area().toRect();
    // Before the zoom, which lays the chart out: a rectangle of pixels means nothing on the new
    // axes.
    forgetStop();
    if (m_dragged == Drag::Select)
        m_plot.selectInside(dragged, (event.modifiers() & Qt::ControlModifier) != 0);
    // A narrow drag is a click.
    else if (m_dragged == Drag::Zoom && dragged.width() >= QApplication::startDragDistance())
        m_plot.zoomTo(dragged);
}

void PlotInput::click(const QMouseEvent& event)
{
    m_drag = {};
    if (!m_plot.canSelect())
        return forgetStop();
    if (event.button() == Qt::LeftButton && m_axes.area().contains(event.position()))
        m_plot.selectAt(
            m_plot.stopAt(event.position()), (event.modifiers() & Qt::ControlModifier) != 0);
}

// Not where there is nothing to zoom: the page below may scroll.
bool PlotInput::turn(const QWheelEvent& event)
{
    const QPointF pixel = event.position();
    const QRectF area = m_axes.area();
    const bool isBesideY = pixel.x() < area.left();
    if (!m_plot.canZoom() || m_plot.isEmpty() || pixel.y() < area.top())
        return false;
    // Some desktops turn the wheel sideways while Shift or Alt is held.
    const bool isShifted = (event.modifiers() & Qt::ShiftModifier) != 0;
    const QPoint angle = event.angleDelta();
    if (angle.x() != 0 && angle.y() == 0 && !isShifted) {
        m_plot.panBy({ angle.x() / static_cast<double>(kNotchAngle) * area.width() * kKeyMove, 0 });
        return true;
    }
    const double notches =
        (angle.y() != 0 ? angle.y() : angle.x()) / static_cast<double>(kNotchAngle);
    const double factor = std::pow(kNotch, -notches);
    const bool zoomsY = isBesideY || isShifted;
    m_plot.zoomBy(pixel, zoomsY ? 1 : factor, zoomsY ? factor : 1);
    hover(pixel);
    m_frame.update();
    return true;
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

bool PlotInput::useKey(const QKeyEvent& event)
{
    const int key = event.key();
    const auto chooses = [this, key, &event] {
        if (key == Qt::Key_Left || key == Qt::Key_Right)
            return step(key == Qt::Key_Left ? -1 : 1);
        if (key == Qt::Key_Up || key == Qt::Key_Down)
            return explain(key == Qt::Key_Up);
        if (key == Qt::Key_Space)
            return choose((event.modifiers() & Qt::ControlModifier) != 0);
        return key == Qt::Key_Escape && leave();
    };
    if (!zoomOrMove(event) && !chooses())
        return false;
    m_frame.update();
    Q_EMIT keyUsed();
    return true;
}

bool PlotInput::zoomOrMove(const QKeyEvent& event)
{
    if (!m_plot.canZoom() || m_plot.isEmpty())
        return false;
    const QRectF area = m_axes.area();
    const bool isShifted = (event.modifiers() & Qt::ShiftModifier) != 0;
    const double x = m_stop ? m_plot.boxAt(*m_stop).x : area.center().x();
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_plot.zoomBy({ x, area.center().y() }, 1 / kKeyZoom, 1);
        return true;
    case Qt::Key_Minus:
        m_plot.zoomBy({ x, area.center().y() }, kKeyZoom, 1);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (isShifted)
            m_plot.panBy({ (event.key() == Qt::Key_Left ? 1 : -1) * area.width() * kKeyMove, 0 });
        return isShifted;
    default:
        return false;
    }
}

bool PlotInput::step(int direction)
{
    // False passes the key to the page around the chart, such as a scroll area.
    if (m_plot.isEmpty())
        return false;
    const std::optional<double> next = m_plot.nextStop(m_stop, direction);
    if (next && next != m_stop) {
        setStop(next);
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

bool PlotInput::choose(bool adds)
{
    if (!m_plot.canSelect() || !m_stop)
        return false;
    m_plot.selectAt(m_stop, adds);
    return true;
}

// Escape leaves one thing at a time: the zoom, the selection, the chosen stop or entry.
bool PlotInput::leave()
{
    if (m_plot.isZoomed()) {
        m_plot.resetZoom();
        return true;
    }
    if (m_plot.deselect())
        return true;
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
    } else if (m_linked && !m_plot.isEmpty() && m_axes.x.shows(m_axes.x.axis(*m_linked))) {
        m_plot.paintStop(painter, *m_linked);
        // The values of many curves would hide them, and the mouse is elsewhere.
        if (const HoverBox box = m_plot.boxAt(*m_linked);
            !box.rows.empty() && box.rows.size() <= kFewRows)
            paintHoverBox(
                painter, PlotLook(m_frame), m_frame.size(), box, m_axes.area().center().y());
    }
    if (m_explained && *m_explained < m_legend.entries().size()) {
        painter.setPen(QPen(m_frame.palette().color(QPalette::Link), 2));
        painter.setBrush(Qt::NoBrush);
        const QRectF& entry = m_legend.entries()[*m_explained].rect;
        painter.drawRoundedRect(entry.adjusted(-3, 0, -11, 0), 3, 3);
    }
}

} // namespace accrue
