// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_axes.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

struct PlotLook;

// A run among parallel axes.
struct ParallelLine {
    long long key = 0; // unique, not 0
    QString title;
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
    bool isShown = true;
};

// A number, or words, of each line.
struct ParallelAxis {
    std::string name; // unique
    QString title;
    ValueFormatter text = PlotAxis::plainNumber;
    PlotAxis::Ticks ticks = PlotAxis::Ticks::Round;
    QStringList categories {}; // not empty: values are positions in it, evenly spaced
    QStringList titles {}; // of the categories, as they are shown; empty: they are their titles
    std::vector<double> values {}; // of each line; NaN: it has none
    bool isInverted = false;
    bool isLogarithmic = false; // ignored if a value is not above zero

    bool canBeLogarithmic() const; // numbers above zero
    QString titleOfCategory(double value) const;
};

// What lines have to be between to be chosen; axis units (PlotAxis).
struct AxisBrush {
    double low = 0;
    double high = 0;
    bool contains(double unit) const { return unit >= low && unit <= high; } // false for NaN
    friend bool operator==(const AxisBrush&, const AxisBrush&) = default;
};

// Lines over parallel axes: where they are, and which of them the brushes choose. Paints nothing.
class ParallelPlot {
public:
    struct Placed {
        ParallelAxis axis;
        PlotAxis scale;
        std::vector<double> units {}; // of each line; NaN: none
        std::vector<double> ticks {}; // axis units
        std::size_t without = 0; // shown lines that have no value
        std::optional<AxisBrush> brush {};
        double x = 0; // pixels, as those below
        QRectF title {};
        QRectF arrow {}; // which inverts
    };

    // Brushes remain with the axes of their name; `axes` have as many values as there are lines.
    void set(std::vector<ParallelLine> lines, std::vector<ParallelAxis> axes);
    const std::vector<ParallelLine>& lines() const { return m_lines; }
    const std::vector<Placed>& axes() const { return m_axes; }
    std::optional<std::size_t> axisNamed(const std::string& name) const;
    std::size_t shownLines() const;

    void layOut(const PlotLook& look, const QSizeF& size);
    static double widthFor(std::size_t axes); // pixels in which titles and ticks have some room
    const QRectF& area() const { return m_area; } // from the first axis to the last one
    double spacing() const { return m_spacing; }
    QPointF pointOf(std::size_t line, std::size_t axis) const; // NaN: it has no value
    // What its lines have at an axis, "0.05"; an en dash: nothing.
    QString textOf(std::size_t line, std::size_t axis) const;

    void move(std::size_t from, std::size_t to);
    void invert(std::size_t axis);
    void setLogarithmic(std::size_t axis, bool on);

    void setBrush(std::size_t axis, const std::optional<AxisBrush>& brush); // within the axis
    void clearBrushes();
    bool hasBrushes() const;
    // The shown lines that are within all brushes; without brushes none.
    std::vector<std::size_t> brushed() const;
    // Emphasised while nothing is brushed.
    void setSelected(const std::vector<long long>& keys);
    // Some lines are emphasised, so that the others are pale.
    bool isDivided() const { return hasBrushes() || m_anySelected; }
    bool isBright(std::size_t line) const;

    struct Hit {
        enum class On { Nothing, Title, Arrow, Strip };
        On on = On::Nothing;
        std::size_t axis = 0;
    };
    Hit hitAt(const QPointF& pixel) const;
    std::size_t slotAt(double x) const; // which axis is nearest to that pixel
    // The shown line nearest to the pixel, bright ones first; empty: none is near.
    std::optional<std::size_t> lineAt(const QPointF& pixel) const;
    // The shown lines that have a value there, from the lower end of the screen to the upper one.
    std::vector<std::size_t> upwards(std::size_t axis) const;

private:
    void scale(Placed& axis) const;
    void place(Placed& axis) const;
    std::vector<double> ticksOf(const Placed& axis) const;
    bool passes(std::size_t line) const;
    double distanceTo(std::size_t line, const QPointF& pixel) const;

    std::vector<ParallelLine> m_lines;
    std::vector<Placed> m_axes;
    std::vector<bool> m_isSelected; // of each line
    bool m_anySelected = false;
    QRectF m_area;
    double m_spacing = 0;
};

} // namespace accrue
