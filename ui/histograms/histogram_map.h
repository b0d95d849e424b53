// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_axes.h"
#include "ui/histograms/run_histograms.h"

#include <QImage>
#include <QSize>

#include <vector>

namespace accrue {

// How dark a share of the numbers is, 0 to 1, on a logarithmic scale, so that the few numbers of
// tails are seen. The share is of a bin of one 64th of the axis.
double shadeOf(double share);
inline constexpr double kPalestShare = 1e-4; // as pale as all that are smaller, but 0
inline constexpr double kMapBins = 64;

QColor shadeColor(double shade, const QColor& color, const QColor& ground);

// A run's histograms over the steps: each column of pixels has those of the nearest step, each row
// the share of numbers between its edges. `pixels` is the size of the axes' area on the device.
QImage histogramMap(const std::vector<HistogramColumn>& columns, const PlotAxes& axes,
    const QSize& pixels, const QColor& color, const QColor& ground);

} // namespace accrue
