// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/window/world.h"

#include <cstdint>
#include <vector>

namespace accrue {

// What each of several ranks shows of trace.parameters after every micro-batch: the checksum of its
// own copy, and the bytes that it has sent in that micro-batch, of which the last one of a window
// has the update. All ranks trace the same micro-batches. One thread.
class RankTraces {
public:
    // Borrowed.
    explicit RankTraces(World& world)
        : m_world(world)
    {
    }

    // A micro-batch begins: what is sent from here on is sent in it.
    void begin();
    void add(const TracedMicroBatch& traced); // with its place in the run
    void drop() { m_own.clear(); }
    // Every rank calls it, between the same two micro-batches, and is sent what was added since the
    // last call: an event for each micro-batch. Nothing with one rank.
    std::vector<RanksMeasured> share(std::int64_t step, std::int64_t epoch);

private:
    struct Own {
        TracedMicroBatch traced;
        std::int64_t bytes = 0;
    };

    World& m_world;
    std::int64_t m_sentBefore = 0; // bytes, when the micro-batch began
    std::vector<Own> m_own {};
};

} // namespace accrue
