// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QColor>
#include <QPalette>

#include <vector>

namespace accrue {

enum class Background { Light, Dark };
Background backgroundOf(const QPalette& palette);

// How a run looks everywhere: the dot in the table is the line in the chart. A function of the id
// alone, so it never changes. Seven hues of Okabe and Ito (distinguishable with any colour vision),
// adjusted to at least 3:1 against the background, in four line styles: 28 looks.
struct RunStyle {
    QColor color;
    Qt::PenStyle line = Qt::SolidLine;
    friend bool operator==(const RunStyle&, const RunStyle&) = default;
};
RunStyle styleOf(RunId run, Background background);
// For runs that are shown together: if two would look alike, the later one gets the next unused
// look; other lines of the same hue come before other hues.
std::vector<RunStyle> stylesOf(const std::vector<RunRecord>& runs, Background background);

// The same hues for series that are not runs (train and test, phases): `index` from 0.
QColor seriesColor(int index, Background background);

} // namespace accrue
