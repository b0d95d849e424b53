// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/resident_data_set.h"
#include "engine/door/engine.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/window_sequence.h"

#include <string>
#include <vector>

namespace accrue {

// Two ways to one update that are mathematically the same, and how far rounding may bring them
// apart. Every limit is below what a micro-batch changes whose weight is 1 % off.
struct UpdateCheck {
    std::string name;
    Experiment experiment;
    std::vector<Slice> found; // as single_window.h takes them
    std::vector<Slice> expected;
    double limit = 0; // of ‖found − expected‖ / ‖expected‖; 0: equal bit by bit
};

// Of two splits of one window, both on one device.
std::vector<UpdateCheck> splitChecks();
// Of one window on two devices: the splits are the same.
std::vector<UpdateCheck> deviceChecks();

// Computes both updates, `found` with `data` and `expected` with `reference`, each on the device of
// its data, with the threads that are set. Leaves the process's numerics changed (numerics.h).
// Blocks. Throws what its parts throw.
SelfTestRow rowOf(
    const UpdateCheck& check, const ResidentDataSet& data, const ResidentDataSet& reference);

} // namespace accrue
