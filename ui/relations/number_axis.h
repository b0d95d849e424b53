// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/number_columns.h"
#include "ui/charts/plot_axes.h"

#include <QString>

namespace accrue {

// How a number of runs is written and ticked on an axis. All functions are pure.

QString titleOf(const NumberColumn& number);
QString titleOf(NumberColumn::Kind kind);
ValueFormatter formatterOf(const NumberColumn& number);
// Doubling for the batch numbers, bytes for memory.
PlotAxis::Ticks ticksOf(const NumberColumn& number);
// All values are above 0, and double or are far apart: a logarithmic axis separates them.
bool isSpreadByFactors(const NumberColumn& number);
// "98.71 %"; an en dash: none.
QString valueText(const NumberColumn& number, const std::optional<double>& value);

} // namespace accrue
