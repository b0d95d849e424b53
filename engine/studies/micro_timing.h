// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/memory_fit.h"
#include "engine/studies/window_probe.h"

#include <cstdint>
#include <vector>

namespace accrue {

// Of micro-batches of `micro` samples that took so many milliseconds each, of which there is one at
// least: the median, and half the distance between the quartiles, as samples a second.
MicroSpeed speedOfTimes(std::int64_t micro, std::vector<double> milliseconds);

// Rounds in which all sizes are timed in turn, so that what else the machine does falls on all
// alike.
inline constexpr int kTimingRounds = 3;

// Of micro-batches of one size, from all rounds.
struct MicroTimes {
    std::int64_t micro = 0;
    std::vector<double> milliseconds {};
    std::int64_t samples = 0; // that were computed for it
};

// One round: a micro-batch to warm up, but where the last took long, then one to five, as many as
// take a twelfth of a second; each is a window by itself, whose phases the device times. False: the
// probe's control asked to stop. Blocks; throws what computeWindow throws. `probe` is one for
// ProbeFor::Speed.
bool timeRound(WindowProbe& probe, MicroTimes& times);

} // namespace accrue
