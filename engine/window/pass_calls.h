// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/window/world.h"

#include <cstdint>
#include <utility>

namespace accrue {

// The calls that one forward and backward pass makes to the other ranks. If the pass fails on this
// rank alone, the others wait for the calls that it has left out. Then the pass is repeated without
// samples: it makes the same calls in the same order, and those that were made before do nothing.
// `world` is borrowed. One thread at a time.
class PassCalls final : public World {
public:
    explicit PassCalls(World& world)
        : m_world(world)
    {
    }

    // A pass begins; it repeats the one before if repeat() was called.
    void begin() { m_skipped = std::exchange(m_repeats, false) ? m_made : 0, m_made = 0; }
    void repeat() { m_repeats = true; }

    int rank() const override { return m_world.rank(); }
    int size() const override { return m_world.size(); }
    void sum(const at::Tensor& tensor) override
    {
        make([&] { m_world.sum(tensor); });
    }
    std::int64_t bytesToOverlap(const at::Tensor& tensor) override
    {
        return m_world.bytesToOverlap(tensor);
    }
    void beginSum(const at::Tensor& tensor) override
    {
        make([&] { m_world.beginSum(tensor); });
    }
    void finishSums() override { m_world.finishSums(); }
    void sumOwnPart(const at::Tensor& tensor) override
    {
        make([&] { m_world.sumOwnPart(tensor); });
    }
    void gatherParts(const at::Tensor& tensor) override
    {
        make([&] { m_world.gatherParts(tensor); });
    }
    void any(const at::Tensor& flags) override
    {
        make([&] { m_world.any(flags); });
    }
    Decision agree(const Decision& mine) override { return m_world.agree(mine); }

private:
    // Counted after the call: one that fails before it has reached the others is made again.
    template <typename Call> void make(const Call& call)
    {
        if (m_made >= m_skipped)
            call();
        ++m_made;
    }

    World& m_world;
    bool m_repeats = false;
    std::int64_t m_skipped = 0; // of the first calls of the pass
    std::int64_t m_made = 0; // in the pass, with those that were skipped
};

} // namespace accrue
