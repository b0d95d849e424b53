// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

#include <cstdint>
#include <vector>

namespace accrue {

// The memory of one window as a curve: for each phase, in their order, a point where it begins, one
// at its peak and one where it ends. A phase is one wide, whatever time it took.
struct SawTooth {
    struct Point {
        double x = 0;
        CategoryBytes bytes {};
        std::int64_t cachedBytes = 0;
        std::int64_t otherBytes = 0;
    };
    std::vector<Point> points;
};
// Where a phase begins only the sum is measured. It is what the phase before ended with where that
// has the same sum; otherwise what the phase has at its peak and at its end both, and workspace.
SawTooth sawToothOf(const MemoryMeasured& window);

// What a chart of a window can show: with more than `most` micro-batches those that are not like
// the one before them, to the byte, and of these the first `most`.
struct WindowExcerpt {
    MemoryMeasured window {};
    std::int64_t microBatches = 0; // whose phases the whole window has
    std::int64_t drawn = 0; // of these
    bool cut = false; // there were more that differ
};
WindowExcerpt excerptOf(const MemoryMeasured& window, std::int64_t most);

} // namespace accrue
