// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

#include <cstdint>
#include <vector>

namespace accrue {

// The memory of one window as a curve: for each phase, in their order, a point at its begin, one at
// its peak and one at its end. Each phase has the width 1, whatever time it took.
struct SawToothPoint {
    double x = 0;
    CategoryBytes bytes {};
    std::int64_t cachedBytes = 0;
    std::int64_t otherBytes = 0;
};
using SawTooth = std::vector<SawToothPoint>;
// At the begin of a phase only the sum is measured. Its parts are those at the end of the phase
// before if that has the same sum; otherwise what the phase has both at its peak and at its end,
// plus workspace.
SawTooth sawToothOf(const MemoryMeasured& window);

// What a chart of a window can show: with more than `most` micro-batches, those that differ from
// the one before, to the byte, and of these the first `most`.
struct WindowExcerpt {
    MemoryMeasured window {};
    std::int64_t microBatches = 0; // whose phases the whole window has
    std::int64_t drawn = 0; // of these
    bool cut = false; // more micro-batches differ than are drawn
};
WindowExcerpt excerptOf(const MemoryMeasured& window, std::int64_t most);

} // namespace accrue
