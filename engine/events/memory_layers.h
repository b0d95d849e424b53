// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

struct LayerBytes {
    std::string layer; // empty: of no layer, or of blocks too small to be named
    std::int64_t bytes = 0;
};

// What a category takes at the phase's peak, by layer: the most first, without a layer last. Adds
// up to the category's bytes; empty where these are 0.
std::vector<LayerBytes> bytesByLayer(const PhaseMemory& phase, MemoryCategory category);

// The first phase with the highest peak; null where there are none.
const PhaseMemory* highestPeak(const MemoryMeasured& measured);

} // namespace accrue
