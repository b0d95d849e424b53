// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

#include <memory>

namespace accrue {

// Which measurements of a run tell something new: most windows need what the one before needed, to
// the byte. A value; copying it is cheap.
class MemoryChanges {
public:
    // True where `measured` differs from the last window, or evaluation, that did. Equal are the
    // same phases with the same samples, live bytes and owners; what the allocator keeps and what
    // others take of the card may move by up to 1 % of the peak. Place and time are not compared.
    bool take(const MemoryMeasured& measured);

private:
    std::shared_ptr<const MemoryMeasured> m_window, m_evaluation; // null: none yet
};

} // namespace accrue
