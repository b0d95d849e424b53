// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLatin1String>
#include <QString>

#include <vector>

class QWidget;

namespace accrue {

class PicturedChart;

// Writes the chart as SVG or PNG, by the file's extension, and reports the result in the notice
// slot of its window. Must not block.
void savePicture(PicturedChart& chart, const QString& path);
// The same, after a question for the file; `name` is proposed, without an extension. The question
// belongs to `page`. `kind`: the extension that is proposed.
void askAndSavePicture(QWidget& page, PicturedChart& chart, const QString& name,
    QLatin1String kind = QLatin1String(".svg"));
// The same of charts that lie in `area`, as one picture.
void askAndSaveCharts(QWidget& page, QWidget& area, const std::vector<PicturedChart*>& charts,
    const QString& name, QLatin1String kind);

} // namespace accrue
