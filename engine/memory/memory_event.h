// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace accrue {

// What a MemoryRecorder notes, in the order in which it happened.
struct MemoryEvent {
    enum class Kind : std::uint8_t {
        Block, // was allocated or released
        Layer, // of the network begins in a forward pass; none: the network is left
        Operator, // is called by no other operator; none: it returned
        Node, // of the graph works in a backward pass; none: it is done
    };

    Kind kind = Kind::Block;
    const void* block = nullptr;
    // Block: allocated, or negative: released. Always as much as was allocated at that address.
    std::int64_t bytes = 0;
    // Block: all that the allocator has given out and holds after it, as it says itself. Negative:
    // it does not know.
    std::int64_t allocated = -1;
    std::int64_t reserved = 0;
    // Layer, Operator, Node; null: none. Lives as long as the ledger, and is told by no second
    // pointer.
    const std::string* name = nullptr;
    // Layer, Node: of the autograd nodes, in the order in which forward passes made them. What a
    // layer makes has the numbers from its own one to the next layer's.
    std::uint64_t sequence = 0;
};

} // namespace accrue
