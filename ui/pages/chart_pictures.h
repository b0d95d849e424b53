// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace accrue {

class AreaChart;
class InlineMessage;
class MetricChart;

// Writes the chart, SVG or PNG by its ending, and says in `message` that it did, or why not. Must
// not block. Both live as long as the page that has them.
void savePicture(MetricChart& chart, InlineMessage& message, const QString& path);
void savePicture(AreaChart& chart, InlineMessage& message, const QString& path);
// The same, after asking where to; `name` is proposed, without an ending. The question belongs to
// `page`.
void askAndSavePicture(
    QWidget& page, MetricChart& chart, InlineMessage& message, const QString& name);
void askAndSavePicture(
    QWidget& page, AreaChart& chart, InlineMessage& message, const QString& name);

} // namespace accrue
