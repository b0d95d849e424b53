// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory_layers.h"

#include <cstddef>

namespace accrue {

namespace {

// The first for which `bytes` is the most; null where none is allowed.
template <typename Allowed, typename Bytes>
const PhaseMemory* most(const MemoryMeasured& measured, Allowed allowed, Bytes bytes)
{
    const PhaseMemory* found = nullptr;
    for (const PhaseMemory& phase : measured.phases)
        if (allowed(phase) && (found == nullptr || bytes(phase) > bytes(*found)))
            found = &phase;
    return found;
}

} // namespace

const PhaseMemory* highestPeak(const MemoryMeasured& measured)
{
    return most(
        measured, [](const PhaseMemory&) { return true; },
        [](const PhaseMemory& phase) { return phase.peakBytes; });
}

const PhaseMemory* mostKept(const MemoryMeasured& measured)
{
    return most(
        measured, [](const PhaseMemory& phase) { return !phase.kept.empty(); },
        [](const PhaseMemory& phase) {
            return phase.atEnd.at(static_cast<std::size_t>(MemoryCategory::Activations));
        });
}

} // namespace accrue
