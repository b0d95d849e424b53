// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRect>
#include <QWidget>

#include <optional>

namespace accrue {

class ChartCanvas;

// The layer over a chart: the vertical line with the box of values, and the frame that is dragged.
class ChartHover : public QWidget {
    Q_OBJECT
public:
    explicit ChartHover(ChartCanvas* canvas);

    void showAt(const QPointF& position); // pixels
    void showDrag(const QRect& frame);
    void step(int direction); // to the next point, at least a few pixels on
    void clear();
    std::optional<double> lineAt() const { return m_x; } // data units

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Row {
        QColor color;
        Qt::PenStyle line = Qt::SolidLine;
        Qt::PenStyle ring = Qt::NoPen;
        QString title;
        QString value;
        double pixelY = 0;
    };
    struct Box {
        QString head;
        std::vector<Row> rows;
        QStringList more; // markers, and how many rows are not shown
        double titleWidth = 0;
        double innerWidth = 0;
        double rowHeight = 0;
        QRectF rect;
    };
    std::vector<Row> rows() const;
    QStringList notes() const; // texts of the markers under the line
    Box box() const;
    void place(Box& box) const; // beside the line, inside the widget
    void paintPoints(QPainter& painter) const;
    void paintBox(QPainter& painter, const Box& box) const;
    void paintRow(QPainter& painter, const Row& row, const QRectF& place, const Box& box) const;
    std::optional<double> nearestX(double x) const; // of all points, data units

    ChartCanvas* m_canvas; // parent's parent
    std::optional<double> m_x;
    double m_mouseY = 0;
    QRect m_drag;
};

} // namespace accrue
