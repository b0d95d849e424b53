// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory_layers.h"

#include <cstdint>

namespace accrue {

namespace {

// Of the phases of which `bytes` is not negative, the first with the most.
template <typename Bytes> const PhaseMemory* most(const MemoryMeasured& measured, Bytes bytes)
{
    const PhaseMemory* found = nullptr;
    for (const PhaseMemory& phase : measured.phases)
        if (bytes(phase) >= 0 && (found == nullptr || bytes(phase) > bytes(*found)))
            found = &phase;
    return found;
}

} // namespace

const PhaseMemory* highestPeak(const MemoryMeasured& measured)
{
    return most(measured, [](const PhaseMemory& phase) { return phase.peakBytes; });
}

const PhaseMemory* mostKept(const MemoryMeasured& measured)
{
    return most(measured, [](const PhaseMemory& phase) {
        return phase.kept.empty()
            ? std::int64_t { -1 }
            : phase.atEnd.at(static_cast<std::size_t>(MemoryCategory::Activations));
    });
}

} // namespace accrue
