// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory.h"

namespace accrue {

const char* memoryCategoryName(MemoryCategory category)
{
    constexpr std::array<const char*, kMemoryCategories> kNames { "data set", "parameters",
        "gradients", "optimizer state", "average", "buffers", "input", "activations", "workspace" };
    return kNames.at(static_cast<std::size_t>(category));
}

const char* memoryPhaseName(MemoryPhase phase)
{
    constexpr std::array<const char*, 5> kNames { "data", "forward", "backward", "optimizer",
        "evaluation" };
    return kNames.at(static_cast<std::size_t>(phase));
}

} // namespace accrue
