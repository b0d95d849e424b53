// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

#include <cstdint>
#include <vector>

namespace accrue {

// The memory of LeNet-5 trained with momentum on `residentSamples` grey pictures of 28 × 28, by
// arithmetic: as a real window is metered, the same for the same arguments.

// The phases of a window whose micro-batches have `slices` samples, in their order: of every
// micro-batch, or of each phase those of the first of the largest ones.
std::vector<PhaseMemory> fakeWindowMemory(
    const std::vector<std::int64_t>& slices, std::int64_t residentSamples, bool everyMicroBatch);

PhaseMemory fakeEvaluationMemory(std::int64_t samples, std::int64_t residentSamples);

} // namespace accrue
