// SPDX-License-Identifier: Apache-2.0
#include "engine/window/sharded_optimizer.h"

#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

// In the parameter's own order in memory, as the flat gradient is.
at::Tensor flattened(Network& network, std::int64_t values)
{
    const torch::NoGradGuard noGrad;
    const auto parameters = network.parameters();
    const at::Tensor flat =
        at::zeros({ values }, parameters.front().options().requires_grad(false));
    std::int64_t begin = 0;
    for (const at::Tensor& parameter : parameters) {
        const at::Tensor view = flat.as_strided(parameter.sizes(), parameter.strides(), begin);
        view.copy_(parameter);
        parameter.set_data(view);
        begin += parameter.numel();
    }
    ownMemory(flat, MemoryCategory::Parameters, "parameters");
    return flat;
}

} // namespace

ShardedOptimizer::ShardedOptimizer(const Experiment& experiment, Network& network, World& world)
    : ShardedOptimizer(
        experiment, network, world, ParameterShard(network, world, { network.parameters().size() }))
{
}

ShardedOptimizer::ShardedOptimizer(
    const Experiment& experiment, Network& network, World& world, const ParameterShard& shard)
    : WholeParameters(experiment, network, world, shard.layout().chunks().front().values,
        /*sharesState=*/true)
    , m_shard(shard)
    , m_flat(flattened(network, m_gradient.numel()))
{
    const ShardLayout::Range part = m_shard.layout().partOf(/*chunk=*/0);
    const at::Tensor gradient = m_gradient.narrow(/*dim=*/0, part.begin, part.length());
    m_parts.push_back(
        { m_shard.pieces({ 0, 1 }, m_flat.narrow(/*dim=*/0, part.begin, part.length()), gradient),
            gradient });
}

NamedTensors ShardedOptimizer::wholeState(const NamedTensors& own)
{
    return m_shard.whole(own);
}

NamedTensors ShardedOptimizer::ownState(const NamedTensors& whole, const NamedTensors& like) const
{
    return m_shard.part(whole, like);
}

} // namespace accrue
