// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/curve_levels.h"

#include <vector>

namespace accrue {

// One metric of a run over another.
struct JoinedCurve {
    std::vector<SeriesPoint> points; // in rising x
    bool isLine =
        true; // x rises as the run goes on; otherwise the points have no line between them
};

// Both over steps. A value has the x of its step, or of the last step before it that has one; at
// most `most` points, evenly chosen. Pure.
JoinedCurve joined(const CurveLevels& xs, const CurveLevels& ys, std::size_t most = 4000);

} // namespace accrue
