// SPDX-License-Identifier: Apache-2.0
#include "engine/window/whole_parameters.h"

#include <utility>

#include <ATen/ATen.h>
#include <torch/utils.h>

#include "engine/window/accumulator.h"

namespace accrue {
namespace {

bool sumsEachSlice(const Experiment& experiment, const World& world)
{
    return experiment.distributed.synchronize == Synchronize::MicroBatch && world.size() > 1;
}

} // namespace

WholeParameters::WholeParameters(const Experiment& experiment, Network& network, World& world)
    : WholeParameters(experiment, network, world, network.parameterCount(), /*sharesState=*/false)
{
    m_parts.push_back({ Parameters(network), m_gradient });
}

WholeParameters::WholeParameters(const Experiment& experiment, Network& network, World& world,
    std::int64_t values, bool sharesState)
    : ParameterHolder(sharesState)
    , m_network(network)
    , m_world(world)
    , m_gradient(allocateGradients(network, values))
    , m_sumsEachSlice(sumsEachSlice(experiment, world))
{
}

NamedTensors WholeParameters::values() const
{
    return namedParameters(m_network);
}

void WholeParameters::beginWindow(bool summed)
{
    m_gradient.zero_();
    m_isSummed = summed && m_sumsEachSlice;
}

// Until it is known, sums may overlap.
bool WholeParameters::sharesSlice(bool isLast) const
{
    const bool mayOverlap = m_world.size() > 1 && (!m_hasAsked || m_buckets);
    return m_sumsEachSlice || (isLast && !sharesParts() && mayOverlap);
}

// Rank 0 alone keeps the sum that all have, so that the next one adds each part once.
void WholeParameters::beginSlice(bool isLast)
{
    if (std::exchange(m_isSummed, false) && m_world.rank() > 0)
        m_gradient.zero_();
    m_overlaps = (m_sumsEachSlice || (isLast && !sharesParts())) && hasBuckets();
    beginPass();
}

// Again if the slice's pass is repeated.
void WholeParameters::beginPass()
{
    if (m_overlaps)
        m_buckets->beginPass();
}

// Not at construction, which a rank may not reach. One bucket would be complete when the pass is.
bool WholeParameters::hasBuckets()
{
    if (std::exchange(m_hasAsked, true))
        return m_buckets.has_value();
    const std::int64_t bytes = m_world.bytesToOverlap(m_gradient);
    if (bytes > 0)
        m_buckets.emplace(m_network.parameters(), m_gradient, bytes, m_world);
    if (m_buckets && m_buckets->count() == 1)
        m_buckets.reset();
    return m_buckets.has_value();
}

void WholeParameters::endSlice()
{
    m_isSummed = m_sumsEachSlice || m_overlaps;
    if (std::exchange(m_overlaps, false))
        m_buckets->finish();
    else if (m_sumsEachSlice)
        m_world.sum(m_gradient);
}

void WholeParameters::sumGradient()
{
    if (!m_isSummed)
        addUp();
}

NamedTensors WholeParameters::parameters()
{
    NamedTensors parameters = values();
    for (auto& [name, tensor] : parameters)
        tensor = tensor.detach();
    return parameters;
}

void WholeParameters::restoreParameters(const NamedTensors& model)
{
    copyValues(parameters(), model);
}

// Without the padding, which depends on how the ranks share the parameters.
at::Tensor WholeParameters::unpadded() const
{
    return m_gradient.narrow(/*dim=*/0, /*start=*/0, m_network.parameterCount());
}

// A sum that all have is that of rank 0, as in beginSlice().
at::Tensor WholeParameters::openGradient()
{
    return m_isSummed && m_world.rank() > 0 ? at::zeros_like(unpadded()) : unpadded();
}

void WholeParameters::restoreGradient(const at::Tensor& saved)
{
    const torch::NoGradGuard noGrad;
    unpadded().copy_(saved);
}

} // namespace accrue
