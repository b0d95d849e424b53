// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace accrue {

class PlotFrame;

// Writes the chart, SVG or PNG by its ending, and says in the notice slot of its window that it
// did, or why not. Must not block.
void savePicture(PlotFrame& chart, const QString& path);
// The same, after asking where to; `name` is proposed, without an ending. The question belongs to
// `page`.
void askAndSavePicture(QWidget& page, PlotFrame& chart, const QString& name);

} // namespace accrue
