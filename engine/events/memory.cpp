// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory.h"

namespace accrue {

namespace {

// The first allowed phase for which `bytes` is highest; null if none is allowed.
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

// As people read them; in JSON and SQL the words are joined by _ (nameOf in event_json.h).
const char* memoryCategoryName(MemoryCategory category)
{
    constexpr std::array<const char*, kMemoryCategories> kNames { "data set", "parameters",
        "gradients", "optimizer state", "average", "buffers", "input", "activations", "workspace" };
    return kNames.at(static_cast<std::size_t>(category));
}

const char* nameOf(MemoryPhase phase)
{
    constexpr std::array<const char*, 5> kNames { "data", "forward", "backward", "optimizer",
        "evaluation" };
    return kNames.at(static_cast<std::size_t>(phase));
}

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
