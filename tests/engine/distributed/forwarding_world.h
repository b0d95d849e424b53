// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/window/world.h"

#include <cstdint>

namespace accrue::test {

// Another World, whose calls a test changes.
class ForwardingWorld : public World {
public:
    explicit ForwardingWorld(World& world)
        : m_world(world)
    {
    }

    int rank() const override { return m_world.rank(); }
    int size() const override { return m_world.size(); }
    void sum(const at::Tensor& tensor) override { m_world.sum(tensor); }
    std::int64_t bytesToOverlap(const at::Tensor& tensor) override
    {
        return m_world.bytesToOverlap(tensor);
    }
    void beginSum(const at::Tensor& tensor) override { m_world.beginSum(tensor); }
    void finishSums() override { m_world.finishSums(); }
    void share(const at::Tensor& tensor) override { m_world.share(tensor); }
    void sumOwnPart(const at::Tensor& tensor) override { m_world.sumOwnPart(tensor); }
    void gatherParts(const at::Tensor& tensor) override { m_world.gatherParts(tensor); }
    Traffic traffic() const override { return m_world.traffic(); }
    void setTimeout(std::chrono::milliseconds timeout) override { m_world.setTimeout(timeout); }
    void any(const at::Tensor& flags) override { m_world.any(flags); }
    void leave(const Message& why) override { m_world.leave(why); }
    Decision agree(const Decision& mine) override { return m_world.agree(mine); }

private:
    World& m_world;
};

// Sums overlap however small they are: each parameter has a bucket of its own.
class InSmallBuckets final : public ForwardingWorld {
public:
    using ForwardingWorld::ForwardingWorld;
    std::int64_t bytesToOverlap(const at::Tensor& /*tensor*/) override { return 1; }
};

} // namespace accrue::test
