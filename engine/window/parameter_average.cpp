// SPDX-License-Identifier: Apache-2.0
#include "engine/window/parameter_average.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

namespace accrue {

ParameterAverage::ParameterAverage(const torch::nn::Module& module, double decay)
    : ParameterAverage(namedParameters(module), cloned(namedParameters(module)), decay)
{
}

ParameterAverage::ParameterAverage(
    const NamedTensors& parameters, const NamedTensors& copies, double decay)
{
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& [name, parameter] = parameters[i];
        m_all.push_back({ "ema." + name, parameter, copies.at(i).second });
        ownMemory(m_all.back().average, MemoryCategory::Average, m_all.back().name);
    }
    m_weight = at::zeros({}, m_all.front().average.options().pinned_memory(false));
    m_newShare = at::full_like(m_weight, 1 - decay);
    m_minusNewShare = m_newShare.neg();
}

// Only the device knows whether the step was refused, so the weight is computed there: then it
// becomes exactly 0, and the average does not change a bit.
void ParameterAverage::update(const at::Tensor& refused)
{
    const torch::NoGradGuard noGrad;
    m_weight.copy_(refused).mul_(m_minusNewShare).add_(m_newShare); // exactly 0 if refused
    for (const Averaged& each : m_all)
        each.average.lerp_(each.parameter, m_weight.to(each.average.device()));
}

NamedTensors ParameterAverage::state() const
{
    NamedTensors state;
    state.reserve(m_all.size());
    for (const Averaged& each : m_all)
        state.emplace_back(each.name, each.average);
    return state;
}

void ParameterAverage::restore(const NamedTensors& state)
{
    restoreTensors(this->state(), state, Message("window.average"));
}

// set_data retains the parameters' tensors, which network, gradients and optimizer refer to, and
// only exchanges their storage.
AveragedWeights::AveragedWeights(ParameterAverage& average)
    : m_average(average)
{
    m_own.reserve(average.m_all.size());
    for (const auto& [name, parameter, averaged] : average.m_all) {
        m_own.push_back(parameter.detach());
        parameter.set_data(averaged);
    }
}

AveragedWeights::~AveragedWeights()
{
    for (std::size_t index = 0; index < m_own.size(); ++index)
        m_average.m_all[index].parameter.set_data(m_own[index]);
}

} // namespace accrue
