// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/relations/parallel_plot.h"

#include <QObject>
#include <QPointF>

#include <cstddef>
#include <optional>

class QKeyEvent;
class QMouseEvent;
class QWidget;

namespace accrue {

// What mouse and keyboard do on parallel axes. A drag along an axis brushes it, a drag of a brush
// moves it, one of its ends resizes it, a click removes it. A drag of a title moves the axis, a
// click on its arrow inverts it. Left and Right choose an axis, with Ctrl they move it; Up and Down
// step from line to line, with Shift they brush; Space selects, I inverts, L makes logarithmic,
// Escape removes the brushes. GUI thread.
class ParallelInput : public QObject {
    Q_OBJECT
public:
    // Becomes a child of `frame` and reads its events; borrows the plot, which outlives it.
    ParallelInput(QWidget& frame, ParallelPlot& plot);

    std::optional<std::size_t> axis() const { return m_axis; } // chosen by keyboard
    std::optional<std::size_t> line() const { return m_line; } // mouse or keyboard point at it
    QPointF place() const { return m_place; } // where they do, pixels
    void forget(); // the plot has other lines or axes

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void pointed(); // at another line, another axis, or another place of the line
    void brushed();
    void axesEdited(); // moved, inverted, made logarithmic
    void clicked(std::optional<std::size_t> line, bool adds); // empty: where no line is

private:
    enum class Drag { None, Line, Title, Arrow, NewBrush, MoveBrush, LowEnd, HighEnd };
    void press(const QMouseEvent& event);
    Drag dragOfBrush(std::size_t axis, double y) const;
    void move(const QMouseEvent& event);
    void hover(const QPointF& pixel);
    void drag(const QPointF& pixel);
    void dragBrush(double y);
    void release(const QMouseEvent& event);
    void removeBrush(std::size_t axis);
    void pointAt(std::optional<std::size_t> line, const QPointF& place);

    bool useKey(const QKeyEvent& event);
    bool chooseAxis(int direction, bool moves);
    bool step(int direction);
    bool extendBrush(int direction);
    bool editAxis(int key);
    bool leave();

    QWidget& m_frame;
    ParallelPlot& m_plot;
    std::optional<std::size_t> m_axis;
    std::optional<std::size_t> m_line;
    QPointF m_place;
    Drag m_drag = Drag::None;
    std::size_t m_dragged = 0; // axis
    QPointF m_pressed;
    bool m_hasMoved = false;
    AxisBrush m_before; // of the dragged axis, axis units
    // The brush that Shift extends: the positions of its ends among the values of the axis.
    std::optional<std::size_t> m_anchor;
    std::size_t m_caret = 0;
};

} // namespace accrue
