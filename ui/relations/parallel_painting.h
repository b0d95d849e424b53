// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/run_palette.h"
#include "ui/relations/parallel_plot.h"

#include <QPen>

#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace accrue {

// How a ParallelPlot is painted, each part over what is there already.

// These lines in their order; each is broken where it has no value. Many are drawn thin and solid:
// there, dashes and soft edges would take longer than a frame.
void paintParallelLines(QPainter& painter, const ParallelPlot& plot,
    const std::vector<std::size_t>& lines, const std::function<QColor(std::size_t)>& colorOf,
    Plot::Medium medium);

// One line with dots where it has values, and a rim of `ground` around it.
void paintParallelLine(QPainter& painter, const ParallelPlot& plot, std::size_t line,
    const QColor& color, const QColor& ground);

// Titles, arrows, ticks, brushes, and how many lines have no value. `coloured`: the axis whose
// values are the colours of the lines.
void paintParallelAxes(QPainter& painter, const ParallelPlot& plot, const PlotLook& look,
    std::optional<std::size_t> coloured, Background background);

// The axis that the keyboard is at.
void paintChosenAxis(
    QPainter& painter, const ParallelPlot& plot, const PlotLook& look, std::size_t axis);

} // namespace accrue
