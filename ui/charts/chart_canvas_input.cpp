// SPDX-License-Identifier: Apache-2.0
// What mouse and keyboard do on a chart.
#include "ui/charts/chart_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include "ui/charts/chart_hover.h"

#include <algorithm>

namespace accrue {

void ChartCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || isEmpty() || !m_plot.contains(event->position()))
        return;
    m_pressed = event->pos();
    m_dragging = true;
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const bool far =
        (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
    if (m_dragging && far)
        m_hover->showDrag(QRect(m_pressed, event->pos()).normalized() & m_plot.toRect());
    else if (m_plot.contains(event->position()))
        m_hover->showAt(event->position());
    else
        m_hover->clear();
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_dragging || event->button() != Qt::LeftButton)
        return;
    m_dragging = false;
    m_hover->clear();
    const QRect frame = QRect(m_pressed, event->pos()).normalized() & m_plot.toRect();
    // A flat drag chooses a span of x only, a narrow one is no drag.
    if (frame.width() < QApplication::startDragDistance())
        return;
    QRectF window = m_content.window;
    window.setLeft(axisX(frame.left()));
    window.setRight(axisX(frame.right()));
    if (frame.height() >= 24) {
        const auto axisY = [this](double pixel) {
            return m_content.window.top()
                + (m_plot.bottom() - pixel) / m_plot.height() * m_content.window.height();
        };
        window = QRectF(QPointF(window.left(), axisY(frame.bottom())),
            QPointF(window.right(), axisY(frame.top())));
    }
    Q_EMIT windowChosen(window);
}

void ChartCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_dragging = false;
    if (event->button() == Qt::LeftButton)
        Q_EMIT zoomLeft();
}

void ChartCanvas::leaveEvent(QEvent* event)
{
    m_hover->clear();
    QChartView::leaveEvent(event);
}

void ChartCanvas::wheelEvent(QWheelEvent* event)
{
    event->ignore(); // the page scrolls
}

void ChartCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_content.zoomed)
        Q_EMIT zoomLeft();
    else if (event->key() == Qt::Key_Left)
        m_hover->step(-1);
    else if (event->key() == Qt::Key_Right)
        m_hover->step(1);
    else
        event->ignore();
}

void ChartCanvas::focusInEvent(QFocusEvent* event)
{
    QChartView::focusInEvent(event);
    viewport()->update();
    m_hover->update();
}

void ChartCanvas::focusOutEvent(QFocusEvent* event)
{
    QChartView::focusOutEvent(event);
    viewport()->update();
    m_hover->clear();
}

} // namespace accrue
