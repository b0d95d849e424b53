// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/parallel_input.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace accrue {

namespace {

constexpr double kEnd = 5; // pixels around the end of a brush
constexpr int kBrushFrom = 3; // a shorter drag is a click

using On = ParallelPlot::Hit::On;

// The values of the lines at an axis, from the lower end of the screen to the upper one.
std::vector<double> valuesUpwards(const ParallelPlot& plot, std::size_t axis)
{
    std::vector<double> units;
    for (const std::size_t line : plot.upwards(axis))
        if (const double unit = plot.axes()[axis].units[line];
            units.empty() || units.back() != unit)
            units.push_back(unit);
    return units;
}

Qt::CursorShape cursorFor(On on)
{
    switch (on) {
    case On::Title:
        return Qt::OpenHandCursor;
    case On::Arrow:
        return Qt::PointingHandCursor;
    case On::Strip:
        return Qt::SizeVerCursor;
    default:
        return Qt::ArrowCursor;
    }
}

} // namespace

ParallelInput::ParallelInput(QWidget& frame, ParallelPlot& plot)
    : QObject(&frame)
    , m_frame(frame)
    , m_plot(plot)
{
    frame.setFocusPolicy(Qt::StrongFocus);
    // Hover needs moves without a pressed button.
    frame.setMouseTracking(true);
    frame.installEventFilter(this);
}

void ParallelInput::forget()
{
    m_drag = Drag::None;
    m_anchor.reset();
    if (m_axis && *m_axis >= m_plot.axes().size())
        m_axis.reset();
    pointAt(std::nullopt, {});
}

bool ParallelInput::eventFilter(QObject*, QEvent* event)
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
        if (const auto hit = m_plot.hitAt(static_cast<QMouseEvent*>(event)->position());
            hit.on == On::Strip)
            removeBrush(hit.axis);
        return true;
    case QEvent::Leave:
    case QEvent::FocusOut:
        pointAt(std::nullopt, {});
        return false;
    case QEvent::KeyPress:
        return useKey(*static_cast<QKeyEvent*>(event));
    default:
        return false;
    }
}

void ParallelInput::pointAt(std::optional<std::size_t> line, const QPointF& place)
{
    const bool isSame = line == m_line && (!line || place == m_place);
    m_line = line;
    m_place = place;
    if (!isSame)
        Q_EMIT pointed();
}

// ---- mouse -----------------------------------------------------------------------------------

void ParallelInput::press(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton)
        return;
    const ParallelPlot::Hit hit = m_plot.hitAt(event.position());
    m_pressed = event.position();
    m_hasMoved = false;
    m_dragged = hit.axis;
    m_anchor.reset();
    m_drag = hit.on == On::Title ? Drag::Title
        : hit.on == On::Arrow    ? Drag::Arrow
        : hit.on == On::Strip    ? dragOfBrush(hit.axis, event.position().y())
                                 : Drag::Line;
    if (hit.on == On::Strip)
        m_before = m_plot.axes()[hit.axis].brush.value_or(AxisBrush {});
    if (hit.on == On::Title)
        m_frame.setCursor(Qt::ClosedHandCursor);
}

ParallelInput::Drag ParallelInput::dragOfBrush(std::size_t axis, double y) const
{
    const ParallelPlot::Placed& placed = m_plot.axes()[axis];
    if (!placed.brush)
        return Drag::NewBrush;
    const double low = placed.scale.pixel(placed.brush->low);
    const double high = placed.scale.pixel(placed.brush->high);
    if (std::abs(y - high) <= kEnd)
        return Drag::HighEnd;
    if (std::abs(y - low) <= kEnd)
        return Drag::LowEnd;
    return y > std::min(low, high) && y < std::max(low, high) ? Drag::MoveBrush : Drag::NewBrush;
}

void ParallelInput::move(const QMouseEvent& event)
{
    const int least = m_drag == Drag::Title ? QApplication::startDragDistance() : kBrushFrom;
    const QPointF by = event.position() - m_pressed;
    m_hasMoved = m_hasMoved || std::abs(by.x()) + std::abs(by.y()) >= least;
    if (m_drag == Drag::None || m_drag == Drag::Line)
        hover(event.position());
    else if (m_hasMoved)
        drag(event.position());
}

void ParallelInput::hover(const QPointF& pixel)
{
    const ParallelPlot::Hit hit = m_plot.hitAt(pixel);
    m_frame.setCursor(cursorFor(hit.on));
    pointAt(m_plot.lineAt(pixel), pixel);
}

void ParallelInput::drag(const QPointF& pixel)
{
    if (m_drag == Drag::Arrow)
        return;
    if (m_drag != Drag::Title) {
        dragBrush(pixel.y());
        Q_EMIT brushed();
        return;
    }
    const std::size_t to = m_plot.slotAt(pixel.x());
    const std::size_t from = std::exchange(m_dragged, to);
    if (from == to)
        return;
    m_plot.move(from, to);
    Q_EMIT axesEdited();
}

void ParallelInput::dragBrush(double y)
{
    const PlotAxis& scale = m_plot.axes()[m_dragged].scale;
    const double now = scale.axisAt(y);
    const double began = scale.axisAt(m_pressed.y());
    AxisBrush brush = m_before;
    if (m_drag == Drag::NewBrush) {
        brush = { began, now };
    } else if (m_drag == Drag::LowEnd) {
        brush.low = now;
    } else if (m_drag == Drag::HighEnd) {
        brush.high = now;
    } else { // its length stays
        const double by = std::clamp(now - began, scale.low - brush.low, scale.high - brush.high);
        brush = { brush.low + by, brush.high + by };
    }
    m_plot.setBrush(m_dragged, brush);
}

void ParallelInput::release(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton)
        return;
    const Drag ended = std::exchange(m_drag, Drag::None);
    if (ended == Drag::Arrow && m_plot.hitAt(event.position()).on == On::Arrow) {
        m_plot.invert(m_dragged);
        Q_EMIT axesEdited();
    } else if (ended == Drag::Line && !m_hasMoved) {
        Q_EMIT clicked(
            m_plot.lineAt(event.position()), event.modifiers().testFlag(Qt::ControlModifier));
    } else if (ended >= Drag::NewBrush && !m_hasMoved) {
        removeBrush(m_dragged);
    }
    hover(event.position());
}

void ParallelInput::removeBrush(std::size_t axis)
{
    if (!m_plot.axes()[axis].brush)
        return;
    m_plot.setBrush(axis, std::nullopt);
    Q_EMIT brushed();
}

// ---- keyboard --------------------------------------------------------------------------------

bool ParallelInput::useKey(const QKeyEvent& event)
{
    const bool isShifted = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        return chooseAxis(
            event.key() == Qt::Key_Left ? -1 : 1, event.modifiers().testFlag(Qt::ControlModifier));
    case Qt::Key_Up:
    case Qt::Key_Down:
        return isShifted ? extendBrush(event.key() == Qt::Key_Up ? 1 : -1)
                         : step(event.key() == Qt::Key_Up ? 1 : -1);
    case Qt::Key_Space:
        if (m_line)
            Q_EMIT clicked(m_line, /*adds=*/true);
        return m_line.has_value();
    case Qt::Key_I:
    case Qt::Key_L:
        return event.modifiers() == Qt::NoModifier && editAxis(event.key());
    case Qt::Key_Escape:
        return leave();
    default:
        return false;
    }
}

bool ParallelInput::chooseAxis(int direction, bool moves)
{
    if (m_plot.axes().empty())
        return false;
    const std::size_t last = m_plot.axes().size() - 1;
    const std::size_t from = m_axis.value_or(direction > 0 ? last : 0);
    const std::size_t to = direction > 0 ? std::min(from + 1, last) : from - (from > 0 ? 1 : 0);
    if (moves && !m_axis)
        return false;
    m_anchor.reset();
    // The first key begins at the end from which it leads.
    m_axis = m_axis ? to : direction > 0 ? 0 : last;
    if (moves && from != to) {
        m_plot.move(from, to);
        Q_EMIT axesEdited();
    }
    if (m_line)
        m_place = m_plot.pointOf(*m_line, *m_axis);
    Q_EMIT pointed();
    return true;
}

bool ParallelInput::step(int direction)
{
    if (m_plot.axes().empty())
        return false;
    m_axis = m_axis.value_or(0);
    const std::vector<std::size_t> order = m_plot.upwards(*m_axis);
    if (order.empty())
        return false;
    auto at = m_line ? std::ranges::find(order, *m_line) : order.end();
    if (at == order.end())
        at = direction > 0 ? order.begin() : order.end() - 1;
    else if (direction > 0 ? at + 1 != order.end() : at != order.begin())
        at += direction;
    pointAt(*at, m_plot.pointOf(*at, *m_axis));
    return true;
}

bool ParallelInput::extendBrush(int direction)
{
    if (m_plot.axes().empty())
        return false;
    m_axis = m_axis.value_or(0);
    const std::vector<double> values = valuesUpwards(m_plot, *m_axis);
    if (values.empty())
        return false;
    if (m_anchor) {
        const std::size_t last = values.size() - 1;
        m_caret = direction > 0 ? std::min(m_caret + 1, last) : m_caret - (m_caret > 0 ? 1 : 0);
    } else {
        const auto at = m_line ? std::ranges::find(values, m_plot.axes()[*m_axis].units[*m_line])
                               : values.end();
        m_caret = at != values.end() ? static_cast<std::size_t>(at - values.begin())
            : direction > 0          ? 0
                                     : values.size() - 1;
        m_anchor = m_caret;
    }
    m_plot.setBrush(*m_axis, AxisBrush { values[*m_anchor], values[m_caret] });
    Q_EMIT brushed();
    return true;
}

bool ParallelInput::editAxis(int key)
{
    if (!m_axis)
        return false;
    const ParallelAxis& axis = m_plot.axes()[*m_axis].axis;
    if (key == Qt::Key_I)
        m_plot.invert(*m_axis);
    else if (axis.canBeLogarithmic())
        m_plot.setLogarithmic(*m_axis, !axis.isLogarithmic);
    else
        return false;
    m_anchor.reset();
    Q_EMIT axesEdited();
    return true;
}

bool ParallelInput::leave()
{
    const bool hadBrushes = m_plot.hasBrushes();
    if (!hadBrushes && !m_line)
        return false; // the key may mean something to the page
    m_anchor.reset();
    m_plot.clearBrushes();
    pointAt(std::nullopt, {});
    if (hadBrushes)
        Q_EMIT brushed();
    return true;
}

} // namespace accrue
