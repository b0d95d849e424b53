// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>

namespace accrue {

// A learning-rate schedule with everything solved. Steps are 1-based; w = warmupSteps, T =
// totalSteps, r = final factor:
//
//   s ≤ w:     base · s / w
//   constant:  base
//   cosine:    base · (r + (1 − r) · (1 + cos(π · (s − 1 − w) / (T − w))) / 2)
//
// so that cosine begins at the full rate after the warm-up and reaches base · r when the run is
// over, which is what torch's CosineAnnealingLR(T_max = T − w) gives.
struct Schedule {
    ScheduleName name = ScheduleName::Constant;
    double baseRate = 0;
    double finalFactor = 0;
    std::int64_t warmupSteps = 0; // schedule.warmup_steps and schedule.warmup_epochs together
    std::int64_t totalSteps = 0;

    double rateOf(std::int64_t step) const;
};

// How the rate follows the accumulation steps of a window: times 1, N / N₀ or √(N / N₀), with N₀
// those that the run begins with.
double rateFactor(LrRule rule, std::int64_t steps, std::int64_t firstSteps);

Schedule scheduleOf(
    const Experiment& experiment, std::int64_t windowsPerEpoch, std::int64_t totalSteps);

} // namespace accrue
