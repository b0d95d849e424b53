// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QPalette>

class QPainter;
class QWidget;

namespace accrue {

constexpr double kPlotEdge = 8; // pixels around a chart and between its parts

// The fonts and colours of a chart at this moment, taken from its widget.
struct PlotLook {
    explicit PlotLook(const QWidget& widget);

    QColor color(QPalette::ColorRole role) const { return palette.color(role); }
    QColor muted(double share) const; // so much text mixed into the ground
    double smallHeight() const; // pixels of one line in the small font

    QFont font;
    QFont small; // of ticks, legend and labels
    QPalette palette;
};

QColor withAlpha(QColor color, int alpha); // 0..255

// Text in the small font on a veil of the ground, because lines pass behind it.
void paintOnGround(
    QPainter& painter, const PlotLook& look, const QRectF& place, const QString& text);

} // namespace accrue
