// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>
#include <functional>

namespace accrue {

// A learning-rate schedule with everything solved. Steps are 1-based and count updates; w =
// warmupSteps, T = totalSteps, L = T − w, r = final factor. The rate of step s is
//
//   base · warm(s) · shape(s),   warm(s) = min(1, s / w), 1 where w is 0
//
// and with k = max(0, s − 1 − w), which counts from the warm-up's end:
//
//   constant:  1
//   cosine:    r + (1 − r) · (1 + cos(π · k / L)) / 2
//   linear:    1 + (r − 1) · k / L
//   onecycle:  wave(1/25 → 1, k / p) up to k = p = peak_share · L − 1, then
//              wave(1 → r, (k − p) / (L − 1 − p)),
//              wave(a → b, x) = b + (a − b) · (1 + cos(π · x)) / 2
//
// and with f, the falls among the s − 1 updates before, which counts from the run's beginning so
// that spans are those of the run, whatever the warm-up:
//
//   step, multistep:  gamma ^ f
//
// These are torch.optim.lr_scheduler's LinearLR(start_factor = 1/w, total_iters = w − 1) and, after
// it (SequentialLR), CosineAnnealingLR(T_max = L, eta_min = base · r), LinearLR(1, r, total_iters =
// L) or OneCycleLR(max_lr = base, total_steps = L, pct_start = peak_share, anneal_strategy = "cos",
// cycle_momentum = False, div_factor = 25, final_div_factor = 1 / (25 · r)), the warm-up then
// leading to the cycle's first rate; and beside it (ChainedScheduler) StepLR or MultiStepLR. So
// cosine and linear begin at the full rate after the warm-up and would reach base · r one update
// after the last; the last update of onecycle has the rate base · r.
struct Schedule {
    ScheduleSettings shape; // as requested; its spans are solved below
    double baseRate = 0;
    std::int64_t warmupSteps = 0; // schedule.warmup_steps and schedule.warmup_epochs together
    std::int64_t totalSteps = 0;
    // How often the rate has fallen after `updates` updates; set for step and multistep.
    std::function<std::int64_t(std::int64_t updates)> fallsWithin;

    double rateOf(std::int64_t step) const;
};

// The number of updates in the first `epochs` epochs; 0 for 0, and never falling.
using UpdatesWithin = std::function<std::int64_t(std::int64_t epochs)>;

// `experiment` is valid. Throws Error if milestones of different units do not ascend in this run.
Schedule scheduleOf(
    const Experiment& experiment, const UpdatesWithin& updatesWithin, std::int64_t totalSteps);

} // namespace accrue
