// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QColor>
#include <QPalette>

#include <vector>

namespace accrue {

enum class Background { Light, Dark };
Background backgroundOf(const QPalette& palette);

// How a run looks everywhere, as engine/compare/run_looks.h has it: the dot in the table is the
// line in the chart.
struct RunStyle {
    QColor color;
    Qt::PenStyle line = Qt::SolidLine;
    friend bool operator==(const RunStyle&, const RunStyle&) = default;
};
RunStyle styleOf(RunId run, Background background);
// For runs that are shown together: no two look alike as long as there are enough looks.
std::vector<RunStyle> stylesOf(const std::vector<RunRecord>& runs, Background background);

// The same hues for series that are not runs (train and test, phases): `index` from 0.
QColor seriesColor(int index, Background background);
Qt::PenStyle seriesLine(std::size_t index); // likewise the kinds of lines, the solid one first

// The colour of a number by its share of a range, 0 to 1: a sequence that any colour vision reads
// in the same order, because its lightness rises.
QColor shareColor(double share, Background background);

} // namespace accrue
