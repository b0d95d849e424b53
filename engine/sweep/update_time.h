// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// How long an update took on the mean of a run that was trained, evaluations included.
struct TimedUpdates {
    std::int64_t micro = 1; // b
    std::int64_t steps = 1; // N
    std::int64_t effective = 1; // B
    double seconds = 0;
};

// Seconds of an update; `low` and `high` are the limits between which that of one more run lies
// with a probability of 95 %, or empty if the runs show no deviation.
struct UpdateTime {
    double seconds = 0;
    std::optional<double> low {};
    std::optional<double> high {};
};

// How long an update of the plan will take, by runs that differ from it in their batch numbers at
// most. By those with the same numbers it is their mean, with the interval of Student's t.
// Otherwise by the model t = α + β·N + γ·B, which has a time for the update, for each micro-batch
// and for each sample: by least squares of relative errors over at least five runs, because the
// runs of one machine vary by a share of their time, and with the prediction interval of a
// regression. Empty: there are too few runs, they do not determine the model, or b or N is beyond
// those that were measured. Pure; any thread.
std::optional<UpdateTime> predictUpdateTime(
    const std::vector<TimedUpdates>& runs, const BatchPlan& plan);

} // namespace accrue
