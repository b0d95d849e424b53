// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_axes.h"
#include "ui/histograms/run_histograms.h"

#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace accrue {

struct PlotLook;

// Where the panels of a HistogramMaps are. All in pixels; pure.

struct PlacedMap {
    QRectF frame; // of title, map and ticks
    QRectF title;
    PlotAxes axes; // of the map
    std::vector<double> xTicks; // axis units, as the next
    std::vector<double> yTicks; // empty: those of the panel on the left hold here, too
    double labelWidth = 0; // of the y ticks
};

struct MapScales {
    bool areShared = true; // one axis of values for all panels, otherwise one for each
    Outliers outliers = Outliers::Shown;
    friend bool operator==(const MapScales&, const MapScales&) = default;
};

// As many panels in a row as remain readable, and not more than make rows and columns about equal.
int mapColumns(std::size_t panels, double width);
// That all rows need at least, so that the smallest map is still readable.
double leastMapHeight(std::size_t panels, double width, const PlotLook& look);

std::vector<PlacedMap> placeMaps(const HistogramPanels& panels, const MapScales& scales,
    const PlotLook& look, const QRectF& area);

} // namespace accrue
