// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/memory_fit.h"
#include "engine/studies/window_probe.h"

#include <cstdint>
#include <vector>

namespace accrue {

// The speed of micro-batches of `micro` samples that took these milliseconds each (one or more):
// the median and half the distance between the quartiles, in samples per second.
MicroSpeed speedOfTimes(std::int64_t micro, std::vector<double> milliseconds);

// All sizes are timed in turn, in several rounds, so that other load of the machine affects all
// sizes alike.
inline constexpr int kTimingRounds = 3;

// The times of micro-batches of one size, from all rounds.
struct MicroTimes {
    std::int64_t micro = 0;
    std::vector<double> milliseconds {};
    std::int64_t samples = 0; // that were computed for it
};

// One round: a micro-batch to warm up, unless the last one took long, then one to five, until they
// took a twelfth of a second together. Each is a window of its own, whose phases the device times.
// Returns false if the probe's control requested a stop. Blocks; throws what computeWindow throws.
// `probe` is one for ProbeFor::Speed.
bool timeRound(WindowProbe& probe, MicroTimes& times);

} // namespace accrue
