// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/window/parameter_shard.h"
#include "engine/window/whole_parameters.h"

namespace accrue {

// Every rank has all parameters and a gradient of its own for them, and updates a part of them,
// which it sends to the others (distributed.shard = "optimizer"; ZeRO-1, Rajbhandari et al. 2020,
// arXiv 1910.02054). So it has the optimizer's state of that part alone.
class ShardedOptimizer final : public WholeParameters {
public:
    // Moves the parameters, which keep their values, into one flat tensor. Call it before anything
    // keeps a view of them.
    ShardedOptimizer(const Experiment& experiment, Network& network, World& world);

    bool sharesParts() const override { return true; }
    void updated() override { m_world.gatherParts(m_flat); }
    NamedTensors wholeState(const NamedTensors& own) override;
    NamedTensors ownState(const NamedTensors& whole, const NamedTensors& like) const override;

private:
    ShardedOptimizer(
        const Experiment& experiment, Network& network, World& world, const ParameterShard& shard);
    void addUp() override { m_world.sumOwnPart(m_gradient); }

    const ParameterShard m_shard;
    const at::Tensor m_flat; // the parameters
};

} // namespace accrue
