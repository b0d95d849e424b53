// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/run_comparison.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace accrue {

// How a comparison (engine/report/run_comparison.h) looks in lists and charts. All functions are
// pure.

// Names of runs that are shown together: number and the settings in which they differ, "#12 mnist,
// norm=group, b=32". Runs that differ in no setting have their name and number.
QStringList legendTexts(const std::vector<RunRecord>& runs);
// differenceFrom() for the window.
inline QString variantText(const RunRecord& run, const RunRecord& first)
{
    return QString::fromStdString(differenceFrom(first, run));
}

// What the peak of memory is shown over.
enum class PeakSetting {
    Micro, // b
    Steps, // N; where it changes while the run trains, the first one
    Norm,
};

QString overSettingText(PeakSetting setting); // "over micro-batch b"
QString settingTitle(PeakSetting setting); // "micro-batch b"
// Of a place on that axis: norms by their names; empty between two of them.
QString settingValueText(PeakSetting setting, double value);
struct PeakRange {
    double low = 0;
    double high = 0;
};
bool isCounted(PeakSetting setting); // in numbers, which powers of two are usual for
// With room beside the outermost of these points; of a logarithmic axis where it is counted.
PeakRange rangeOf(PeakSetting setting, const std::vector<SeriesPoint>& points);

// The setting and the bytes of the highest peak of a run's windows; empty: it has logged none.
std::optional<SeriesPoint> peakOver(PeakSetting setting, const RunRecord& run);

// Pixels by which each of these points is moved sideways, so that those at one place (the same x,
// and y hardly apart) are seen side by side, in their order, around it.
std::vector<double> shiftsOf(const std::vector<SeriesPoint>& points);

} // namespace accrue
