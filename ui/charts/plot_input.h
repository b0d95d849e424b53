// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot.h"

#include <QObject>
#include <QPoint>

#include <optional>

class QHelpEvent;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace accrue {

struct PlotAxes;

// What mouse and keyboard do on a plot, and what of it is painted over the chart. Hover or Left and
// Right choose a stop, Up and Down explain an entry of the legend. A drag zooms, the wheel zooms x
// and with Shift y, a drag along an axis or with Shift moves what is shown; + and − zoom x, Left
// and Right with Shift move it. A double click or Escape returns. Where content can be selected, a
// click or the space bar does so, a drag with Control takes all in its frame, and Escape selects
// nothing. GUI thread.
class PlotInput : public QObject {
    Q_OBJECT
public:
    // Becomes a child of `frame` and reads its events; borrows the rest, which outlives it.
    PlotInput(QWidget& frame, Plot& plot, const PlotLegend& legend, const PlotAxes& axes);

    const std::optional<double>& stop() const { return m_stop; }
    // The meaning of the entry that was chosen by keyboard; empty if none was.
    QString explanation() const;
    // A stop that another chart has, as a value of the x axis; empty: none.
    void showLinkedStop(const std::optional<double>& stop);
    bool isActive() const { return m_stop || m_linked || !m_drag.isNull(); } // paints over the data
    void forgetStop();
    void forgetExplanation() { m_explained.reset(); } // before the legend's entries change
    void paint(QPainter& painter) const;

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void keyUsed(); // what is described may have changed
    void stopChanged();

private:
    // What a drag does, by where it began.
    enum class Drag { None, Zoom, Select, MoveX, MoveY, MoveBoth };
    Drag dragAt(const QPointF& pixel, Qt::KeyboardModifiers keys, Qt::MouseButton button) const;
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void hover(const QPointF& pixel);
    void moveContent(const QPointF& pixel);
    void release(const QMouseEvent& event);
    void click(const QMouseEvent& event);
    bool turn(const QWheelEvent& event);
    void setStop(const std::optional<double>& stop);
    bool useKey(const QKeyEvent& event);
    bool zoomOrMove(const QKeyEvent& event);
    bool step(int direction);
    bool choose(bool adds); // the stop
    bool explain(bool previous);
    bool leave();
    bool showMeaning(const QHelpEvent& event) const;

    QWidget& m_frame;
    Plot& m_plot;
    const PlotLegend& m_legend;
    const PlotAxes& m_axes;
    std::optional<double> m_stop;
    std::optional<double> m_linked;
    double m_mouseY = 0;
    std::optional<QPoint> m_pressed; // where a drag began
    Drag m_dragged = Drag::None;
    QPointF m_movedTo; // where the mouse was during the last move of the content
    QRect m_drag; // pixels, while it is long enough to be one
    std::optional<std::size_t> m_explained; // an entry of the legend
};

} // namespace accrue
