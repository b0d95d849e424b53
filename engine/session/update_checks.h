// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/window_sequence.h"
#include "engine/tensors/resident_data_set.h"

#include <vector>

namespace accrue {

// Two mathematically equal ways to one update, and how far apart rounding may bring them. Every
// limit is below the effect of a micro-batch whose weight is wrong by 1 %.
struct UpdateCheck {
    Message name {};
    Experiment experiment {};
    std::vector<Slice> found; // for updateFrom of single_window.h
    std::vector<Slice> expected;
    double limit = 0; // of ‖found − expected‖ / ‖expected‖; 0: equal bit by bit
};

// Of two splits of one window, both on one device.
std::vector<UpdateCheck> splitChecks();
// Of one window on two devices: the splits are the same.
std::vector<UpdateCheck> deviceChecks();

// Computes both updates, `found` with `data` and `expected` with `reference`, each on the device of
// its data, with the current number of threads. Leaves the process's numerics changed (numerics.h).
// Blocks. Throws what its parts throw.
SelfTestRow rowOf(
    const UpdateCheck& check, const ResidentDataSet& data, const ResidentDataSet& reference);

} // namespace accrue
