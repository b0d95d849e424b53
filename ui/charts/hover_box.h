// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_legend.h"

#include <QStringList>

#include <limits>
#include <optional>

namespace accrue {

struct HoverRow {
    PlotSign sign;
    QString title;
    QString value;
    // Pixels: the position of the row's point. Of many rows those nearest to the mouse are shown.
    double y = std::numeric_limits<double>::infinity();
};

// The box of values beside a place of a plot.
struct HoverBox {
    double x = 0; // pixels, of the place
    std::optional<double> top {}; // pixels; otherwise the box is beside the mouse
    QString head;
    std::vector<HoverRow> rows;
    QStringList notes {}; // lines below the rows
};

// Paints the box inside a chart of that size, on the side of its place that has enough space.
void paintHoverBox(
    QPainter& painter, const PlotLook& look, const QSizeF& chart, HoverBox box, double mouseY);

} // namespace accrue
