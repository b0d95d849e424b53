// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/hover_box.h"
#include "ui/charts/plot_legend.h"

#include <QRect>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace accrue {

// What a type of chart supplies; PlotFrame does everything else. A stop is a place that mouse and
// keyboard can point at, as a number of the chart's own: an x, or the index of a point.
class Plot {
public:
    enum class Medium {
        Raster, // a screen or an image
        Vector, // a file of shapes: lines are written in one piece and cut at the plot's edges
    };

    virtual ~Plot() = default;

    // True while there is nothing to draw; the empty text is shown instead.
    virtual bool isEmpty() const = 0;
    // For a screen reader; not called for an empty plot.
    virtual QString description() const = 0;
    virtual std::vector<LegendEntry> legend() const = 0;

    // Paints the data over the grid. Only what is in `exposed` (pixels) needs painting.
    virtual void paintData(QPainter& painter, const QRectF& exposed, Medium medium) = 0;
    // Paints what is over the data, the ticks and the legend.
    virtual void paintMarks(QPainter&) const { }
    // Pixels between legend and plot for titles of the chart's own, in lines of that height.
    virtual double roomAbove(double lineHeight) const { return 0 * lineHeight; }
    // The axes or the area changed: what was prepared for the old ones is stale.
    virtual void axesMoved() { }

    virtual std::optional<double> stopAt(const QPointF& pixel) const = 0;
    // The stop on the left (direction -1) or right (1) of `from`, or where the keyboard begins;
    // nothing if there is none.
    virtual std::optional<double> nextStop(
        const std::optional<double>& from, int direction) const = 0;
    virtual HoverBox boxAt(double stop) const = 0;
    virtual void paintStop(QPainter& painter, double stop) const = 0; // beneath its box

    // The mouse is there, or nowhere on the plot.
    virtual void mouseAt(const std::optional<QPointF>&) { }

    virtual bool canZoom() const { return false; }
    virtual bool isZoomed() const { return false; }
    virtual void zoomTo(const QRect&) { } // pixels
    // A factor below 1 shows less of an axis; what is at that pixel stays there.
    virtual void zoomBy(const QPointF& /*pixel*/, double /*xFactor*/, double /*yFactor*/) { }
    virtual void panBy(const QPointF&) { } // pixels by which the content moves
    virtual void resetZoom() { }

    // Of a plot whose content can be selected, by a click or the space bar and by a frame. `adds`:
    // to what is selected; at a stop that is, takes it away.
    virtual bool canSelect() const { return false; }
    virtual bool dragSelects() const { return false; } // without the Control key
    virtual void selectAt(const std::optional<double>& /*stop*/, bool /*adds*/) { }
    virtual void selectInside(const QRectF& /*pixels*/, bool /*adds*/) { }
    virtual bool deselect() { return false; } // false: nothing is selected
};

} // namespace accrue
