// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace accrue {

class AreaChart;
class MetricChart;

// Writes the chart, SVG or PNG by its ending, and says in the notice slot of its window that it
// did, or why not. Must not block.
void savePicture(MetricChart& chart, const QString& path);
void savePicture(AreaChart& chart, const QString& path);
// The same, after asking where to; `name` is proposed, without an ending. The question belongs to
// `page`.
void askAndSavePicture(QWidget& page, MetricChart& chart, const QString& name);
void askAndSavePicture(QWidget& page, AreaChart& chart, const QString& name);

} // namespace accrue
