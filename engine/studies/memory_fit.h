// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/memory_fit.h"
#include "engine/door/run_control.h"

namespace accrue {

// Engine::fit: computes windows of four or five sizes, from an eighth of 256 samples (of twice
// batch.micro, where that is more) to all of them, fits the law to them, and where a budget is
// asked for, seeks its border from what the law says, with the budget enforced. Sizes that memory
// or the training set do not allow are left for smaller ones. Blocks until it is done or `control`
// asks to stop, which takes effect between two windows. Never throws.
MemoryFit fitMemory(
    const FitRequest& request, RunControl& control, const FitProgressSink& progress);

} // namespace accrue
