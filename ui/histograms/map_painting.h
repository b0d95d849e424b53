// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_legend.h"
#include "ui/histograms/map_layout.h"

#include <vector>

class QPainter;

namespace accrue {

// How the panels of a HistogramMaps are painted.

// What shades and lines mean.
std::vector<LegendEntry> mapLegend(const PlotLook& look);
// `ratio`: pixels of the device for each pixel.
void paintMap(QPainter& painter, const PlotLook& look, const HistogramPanel& panel,
    const PlacedMap& place, double ratio);
// Over the map: the column that is looked at.
void paintMapStep(
    QPainter& painter, const PlotLook& look, const PlacedMap& place, std::int64_t step);
enum class MapMark { PointedAt, Selected };
void paintMapMark(QPainter& painter, const PlotLook& look, const PlacedMap& place, MapMark mark);

} // namespace accrue
