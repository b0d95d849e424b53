// SPDX-License-Identifier: Apache-2.0
#include "engine/training/parameter_average.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

namespace accrue {

ParameterAverage::ParameterAverage(const torch::nn::Module& module, double decay)
{
    for (const auto& named : module.named_parameters()) {
        m_names.push_back(named.key());
        m_parameters.push_back(named.value());
        m_averages.push_back(named.value().detach().clone());
        ownMemory(m_averages.back(), MemoryCategory::Average, "ema." + named.key());
    }
    m_weight = at::zeros({}, m_averages.front().options());
    m_newShare = at::full_like(m_weight, 1 - decay);
    m_minusNewShare = m_newShare.neg();
}

void ParameterAverage::update(const at::Tensor& refused)
{
    const torch::NoGradGuard noGrad;
    m_weight.copy_(refused).mul_(m_minusNewShare).add_(m_newShare); // exactly 0 where refused
    for (std::size_t index = 0; index < m_averages.size(); ++index)
        m_averages[index].lerp_(m_parameters[index], m_weight);
}

NamedTensors ParameterAverage::state() const
{
    NamedTensors state;
    state.reserve(m_averages.size());
    for (std::size_t index = 0; index < m_averages.size(); ++index)
        state.emplace_back("ema." + m_names[index], m_averages[index]);
    return state;
}

void ParameterAverage::restore(const NamedTensors& state)
{
    restoreTensors(this->state(), state, "The average of the parameters");
}

AveragedWeights::AveragedWeights(ParameterAverage& average)
    : m_average(average)
{
    m_own.reserve(average.m_parameters.size());
    for (std::size_t index = 0; index < average.m_parameters.size(); ++index) {
        const at::Tensor& parameter = average.m_parameters[index];
        m_own.push_back(parameter.detach());
        parameter.set_data(average.m_averages[index]);
    }
}

AveragedWeights::~AveragedWeights()
{
    for (std::size_t index = 0; index < m_own.size(); ++index)
        m_average.m_parameters[index].set_data(m_own[index]);
}

} // namespace accrue
