// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory_layers.h"

#include <algorithm>
#include <map>

namespace accrue {

std::vector<LayerBytes> bytesByLayer(const PhaseMemory& phase, MemoryCategory category)
{
    std::map<std::string, std::int64_t> bytes;
    std::int64_t unnamed = phase.atPeak.at(static_cast<std::size_t>(category));
    for (const MemoryOwner& owner : phase.owners)
        if (owner.category == category && !owner.layer.empty()) {
            bytes[owner.layer] += owner.bytes;
            unnamed -= owner.bytes;
        }
    std::vector<LayerBytes> layers;
    layers.reserve(bytes.size() + 1);
    for (const auto& [layer, sum] : bytes)
        layers.push_back({ layer, sum });
    std::stable_sort(layers.begin(), layers.end(),
        [](const LayerBytes& a, const LayerBytes& b) { return a.bytes > b.bytes; });
    if (unnamed > 0)
        layers.push_back({ "", unnamed });
    return layers;
}

const PhaseMemory* highestPeak(const MemoryMeasured& measured)
{
    const auto highest = std::max_element(measured.phases.begin(), measured.phases.end(),
        [](const PhaseMemory& a, const PhaseMemory& b) { return a.peakBytes < b.peakBytes; });
    return highest == measured.phases.end() ? nullptr : &*highest;
}

} // namespace accrue
