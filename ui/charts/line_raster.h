// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QPen>
#include <QPointF>
#include <QRectF>

#include <vector>

class QPainter;

namespace accrue {

// Draws long lines in microseconds: in each column of pixels a line that rises in x is one span, so
// that a curve costs as much as its pixels and not as its points. Spans end softly.
class LineRaster {
public:
    // `area`: where lines are drawn, in pixels of the widget; `ratio`: device pixels in each.
    LineRaster(const QRectF& area, double ratio);

    // One line in rising x, in pixels of the widget; a point that is not finite is a gap. Colour,
    // width and style are the pen's.
    void draw(const std::vector<QPointF>& line, const QPen& pen);
    void paintOn(QPainter& painter) const;

private:
    struct Span { // device pixels; top > bottom: the column is empty
        double top = 1;
        double bottom = 0;
        void add(double y);
        void add(const Span& other);
    };
    void addSegment(const QPointF& from, const QPointF& to);
    void fill(const QPen& pen);
    void fillColumn(int column, const Span& span, QRgb color);
    QImage upright() const;

    QRect m_area; // pixels of the widget
    double m_ratio;
    QImage m_columns; // device pixels, on their side: a column of the screen is a line of memory
    std::vector<Span> m_spans; // of the line that is being drawn, by column
};

} // namespace accrue
