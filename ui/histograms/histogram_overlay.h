// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"
#include "ui/histograms/run_histograms.h"

#include <cstdint>
#include <vector>

namespace accrue {

// The histograms of all runs at the step of each that is nearest to `step`, over one axis of
// values. All have the same bins, so that heights can be compared: about as narrow as the narrowest
// of theirs, or wider where a run has only few numbers.
struct HistogramOverlay {
    std::vector<ChartCurve> curves; // the share of the values in each bin, at its middle
    double binWidth = 0;
};
HistogramOverlay histogramOverlay(
    const HistogramPanels& panels, std::int64_t step, Outliers outliers);

} // namespace accrue
