// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <cstdint>

namespace accrue {

// How the first epoch of `samples` falls into windows.
struct EpochPlan {
    std::int64_t samples = 0;
    std::int64_t windows = 0; // updates, that of a flushed tail included
    std::int64_t tailSamples = 0; // samples that fill no window
    Tail tail = Tail::Flush; // what becomes of them
    std::int64_t microBatches = 0; // forward passes
};

EpochPlan planEpoch(const BatchPlan& plan, std::int64_t samples);

// Updates that the run makes if nothing ends it early. `samples` of its training set.
std::int64_t totalUpdates(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples);

// Findings that need the size of the training set, on top of those of `validate`: an epoch that the
// model's norm or batch.tail cannot take, a warm-up that the run never leaves, an effective batch
// larger than the training set. `plan` is that of `experiment`.
Findings checkEpoch(const Experiment& experiment, const BatchPlan& plan, std::int64_t samples);

} // namespace accrue
