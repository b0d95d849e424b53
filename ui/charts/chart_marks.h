// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"

#include <vector>

class QPainter;

namespace accrue {

struct PlotAxes;
struct PlotLook;

// What a line chart shows beside its lines. All of them paint with the hints that they find.

// Those of another key than `emphasised` are paler; 0: none is.
void paintRibbons(QPainter& painter, const PlotAxes& axes, const std::vector<ChartRibbon>& ribbons,
    long long emphasised = 0);

// A level's text is placed where it hides the least of the curves.
void paintLevels(QPainter& painter, const PlotAxes& axes, const PlotLook& look,
    const std::vector<ChartLevel>& levels, const std::vector<ChartCurve>& curves);

// Lines with a sign above the plot; labels are in rows above it, which `roomForLabels` measures,
// inside a chart of that width (pixels).
double roomForLabels(const std::vector<ChartMarker>& markers, double lineHeight);
void paintMarkers(QPainter& painter, const PlotAxes& axes, const PlotLook& look,
    const std::vector<ChartMarker>& markers, double chartWidth);

// Crosses at the lower edge where a curve is not finite.
void paintNonFinite(QPainter& painter, const PlotAxes& axes, const std::vector<ChartCurve>& curves);

} // namespace accrue
