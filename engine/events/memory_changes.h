// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

#include <memory>

namespace accrue {

// Selects the measurements of a run that differ from the previous one: most windows need the same
// memory to the byte. A value; copying it is cheap.
class MemoryChanges {
public:
    // True if `measured` differs from the last window, or evaluation, for which it was true. Equal
    // are the same phases with the same samples, live bytes and owners; the allocator's cache and
    // the other users' share of the card may vary by up to 1 % of the peak. Place and time are not
    // compared.
    bool take(const MemoryMeasured& measured);

private:
    std::shared_ptr<const MemoryMeasured> m_window, m_evaluation; // null: none yet
};

} // namespace accrue
