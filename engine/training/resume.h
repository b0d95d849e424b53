// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/window_sequence.h"
#include "engine/training/checkpoint.h"

#include <cstdint>

namespace accrue {

// Whether a run of `experiment`, whose plan is `plan` and whose training set has `samples`, can go
// on from `checkpoint`. The settings must be those it was saved with, but for name, place of the
// data, length of the run, device, threads, evaluation and checkpoints; and, where no window is
// open, how the same effective batch is cut. Throws EngineError with a sentence that names what
// differs.
void checkResumable(const Checkpoint& checkpoint, const Experiment& experiment,
    const BatchPlan& plan, const WindowSequence& windows, std::int64_t samples);

} // namespace accrue
