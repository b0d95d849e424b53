// SPDX-License-Identifier: Apache-2.0
#include "engine/window/parameter_update.h"

#include <optional>

#include <ATen/ATen.h>
#include <torch/utils.h>

#include "engine/memory/host_scope.h"

namespace accrue {
namespace {

// The state of a part on the host does not count as the device's.
std::unique_ptr<Optimizer> optimizerOf(
    const OptimizerSettings& settings, const ParameterHolder::Part& part)
{
    std::optional<HostScope> onHost;
    if (part.isOnHost)
        onHost.emplace();
    return makeOptimizer(settings, part.parameters);
}

} // namespace

ParameterUpdate::ParameterUpdate(
    const OptimizerSettings& settings, ParameterHolder& holder, World& world)
    : m_holder(holder)
    , m_world(world)
{
    for (const ParameterHolder::Part& part : holder.parts())
        m_parts.push_back(
            { part.gradient, Clipping(settings, part.gradient), optimizerOf(settings, part) });
}

void ParameterUpdate::unscale(double lossScale)
{
    if (lossScale == 1)
        return;
    for (const Part& part : m_parts)
        part.gradient.mul_(1 / lossScale);
}

at::Tensor ParameterUpdate::norm() const
{
    at::Tensor norm = gradientNorm(m_parts.front().gradient);
    if (m_parts.size() == 1 && !m_holder.sharesParts())
        return norm;
    at::Tensor square = norm.to(at::kDouble).square_();
    for (std::size_t i = 1; i < m_parts.size(); ++i)
        square.add_(gradientNorm(m_parts[i].gradient).to(square.options()).square_());
    m_world.sum(square);
    return square.sqrt_();
}

void ParameterUpdate::clip(const at::Tensor& norm)
{
    for (Part& part : m_parts)
        part.clipping.apply(part.gradient, norm);
}

void ParameterUpdate::step(double learningRate, const at::Tensor& refused)
{
    for (const Part& part : m_parts)
        part.optimizer->step(learningRate, refused.to(part.gradient.device()));
}

void ParameterUpdate::stepWasRefused()
{
    for (const Part& part : m_parts)
        part.optimizer->stepWasRefused();
}

NamedTensors ParameterUpdate::state() const
{
    NamedTensors own;
    for (const Part& part : m_parts) {
        const NamedTensors state = part.optimizer->state();
        own.insert(own.end(), state.begin(), state.end());
    }
    return m_holder.wholeState(own);
}

// All parts are checked before the first one changes, because each has the same kinds of state.
void ParameterUpdate::restore(const NamedTensors& saved)
{
    for (const Part& part : m_parts)
        part.optimizer->restore(m_holder.ownState(saved, part.optimizer->state()));
}

} // namespace accrue
