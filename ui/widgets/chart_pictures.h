// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace accrue {

class PlotFrame;

// Writes the chart as SVG or PNG, by the file's extension, and reports the result in the notice
// slot of its window. Must not block.
void savePicture(PlotFrame& chart, const QString& path);
// The same, after a question for the file; `name` is proposed, without an extension. The question
// belongs to `page`.
void askAndSavePicture(QWidget& page, PlotFrame& chart, const QString& name);

} // namespace accrue
