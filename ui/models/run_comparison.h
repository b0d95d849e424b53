// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/run_comparison.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace accrue {

// How lists and charts show a comparison (engine/report/run_comparison.h). All functions are pure.

// Names of runs that are shown together: number and the settings in which they differ, "#12 mnist,
// norm=group, b=32". Runs that differ in no setting have their name and number.
QStringList legendTexts(const std::vector<RunRecord>& runs);
// The same below runTitle(), which has the number already: "norm=group, b=32". Of runs that differ
// in no setting their state.
QStringList legendDetails(const std::vector<RunRecord>& runs);
// differenceFrom() for the window.
inline QString variantText(const RunRecord& run, const RunRecord& first)
{
    return QString::fromStdString(differenceFrom(first, run));
}

// The setting over which peak memory is shown.
enum class PeakSetting {
    Micro, // b
    Steps, // N; the first one if it changes while the run trains
    Norm,
};

QString settingTitle(PeakSetting setting); // "micro-batch b"
// Text for a position on that axis: norms by their names; empty between two of them.
QString settingValueText(PeakSetting setting, double value);
struct PeakRange {
    double low = 0;
    double high = 0;
};
bool isCounted(PeakSetting setting); // numbers, for which powers of two are usual
// The range of these points with a margin on both sides; on a logarithmic axis if isCounted().
PeakRange rangeOf(PeakSetting setting, const std::vector<SeriesPoint>& points);

// The setting and the bytes of the highest peak of a run's windows; empty: none is logged.
std::optional<SeriesPoint> peakOver(PeakSetting setting, const RunRecord& run);

// Pixels by which each of these points is moved sideways, so that points at one place (the same x,
// and nearly the same y) are drawn side by side, in their order, around it. Many of them overlap,
// so that they do not reach what has another x.
std::vector<double> shiftsOf(const std::vector<SeriesPoint>& points);

} // namespace accrue
