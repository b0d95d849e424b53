// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <vector>

namespace accrue {

// One axis of a plot: its range of values, its place on the screen, and the text of its ticks. An
// axis unit is a value or, on a logarithmic axis, its decimal logarithm.
struct PlotAxis {
    enum class Ticks {
        Round, // multiples of 1, 2, 2.5 or 5; decades on a logarithmic axis
        Bytes, // round numbers of KiB, MiB or GiB; powers of two on a logarithmic axis
        Doubling, // powers of two on a logarithmic axis
    };

    QString title;
    ValueFormatter text = plainNumber; // none: the axis has no ticks
    Ticks ticks = Ticks::Round;
    bool logarithmic = false;
    double low = 0; // axis units, shown
    double high = 1;
    double first = 0; // pixels of low and high; first > last on a y axis
    double last = 1;

    double axis(double value) const; // NaN where the value has no logarithm
    double value(double axis) const;
    double pixel(double axis) const { return first + (axis - low) / (high - low) * (last - first); }
    double pixelOf(double value) const { return pixel(axis(value)); }
    double axisAt(double pixel) const
    {
        return low + (pixel - first) / (last - first) * (high - low);
    }
    double valueAt(double pixel) const { return value(axisAt(pixel)); }
    bool shows(double axis) const { return axis >= low && axis <= high; } // false for NaN
    QString textAt(double axis) const { return text(value(axis)); }
    // About `wanted` of them in axis units; fewer if neighbours would have the same text, as counts
    // do that have nothing between them.
    std::vector<double> ticksFor(int wanted) const;

    static QString plainNumber(double value) { return QString::number(value, 'g', 5); }
};

struct PlotAxes {
    PlotAxis x;
    PlotAxis y;

    // Pixels between the axes; they count downwards: the high end of y is the top.
    QRectF area() const { return { QPointF(x.first, y.last), QPointF(x.last, y.first) }; }
    void setArea(const QRectF& area);
    QPointF pixelOf(double xValue, double yValue) const;
};

} // namespace accrue
