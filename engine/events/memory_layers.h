// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

namespace accrue {

// The first phase with the highest peak, whatever it is; null where there are no phases.
const PhaseMemory* highestPeak(const MemoryMeasured& measured);

// The first forward pass that keeps the most activations for its backward pass, by layer; null
// where none keeps any, or their layers were not looked at.
const PhaseMemory* mostKept(const MemoryMeasured& measured);

} // namespace accrue
