// SPDX-License-Identifier: Apache-2.0
#include "engine/window/optimizer_parts.h"

#include <torch/nn/module.h>

#include "engine/base/error.h"

#include <utility>

namespace accrue {
namespace {

at::Tensor inMemoryOrder(const at::Tensor& tensor)
{
    return tensor.detach().as_strided({ tensor.numel() }, { 1 });
}

} // namespace

Parameters::Parameters(const torch::nn::Module& module)
{
    for (const auto& named : module.named_parameters()) {
        names.push_back(named.key());
        values.push_back(named.value());
        gradients.push_back(named.value().grad());
    }
}

std::vector<at::Tensor> Group::of(const std::vector<at::Tensor>& all) const
{
    std::vector<at::Tensor> chosen;
    if (all.empty())
        return chosen;
    chosen.reserve(members.size());
    for (const std::size_t member : members)
        chosen.push_back(inMemoryOrder(all[member]));
    return chosen;
}

std::vector<Group> groupsOf(const OptimizerSettings& settings, const Parameters& parameters)
{
    Group decayed { settings.weightDecay, {} };
    Group exempt;
    for (std::size_t index = 0; index < parameters.values.size(); ++index) {
        const bool matrix = parameters.values[index].dim() > 1;
        const bool alike = settings.decayNormAndBias || settings.weightDecay == 0;
        (alike || matrix ? decayed : exempt).members.push_back(index);
    }
    std::vector<Group> groups;
    for (Group* group : { &decayed, &exempt })
        if (!group->members.empty())
            groups.push_back(std::move(*group));
    return groups;
}

StatefulOptimizer::StatefulOptimizer(
    const OptimizerSettings& settings, const torch::nn::Module& module)
    : m_settings(settings)
    , m_parameters(module)
{
}

std::vector<at::Tensor> StatefulOptimizer::remember(const std::string& name)
{
    std::vector<at::Tensor> zeros;
    for (std::size_t index = 0; index < m_parameters.values.size(); ++index) {
        zeros.push_back(at::zeros_like(m_parameters.values[index]));
        m_remembered.emplace_back(
            "optimizer." + name + "." + m_parameters.names[index], zeros.back());
    }
    return zeros;
}

NamedTensors StatefulOptimizer::state() const
{
    NamedTensors state { { kUpdates, updates() } };
    state.insert(state.end(), m_remembered.begin(), m_remembered.end());
    return state;
}

// A count that is negative or NaN passes every check of layout, but the corrections by 1 − βᵗ would
// make the parameters NaN.
void StatefulOptimizer::restore(const NamedTensors& state)
{
    for (const auto& [name, tensor] : state)
        if (name == kUpdates && tensor.numel() == 1 && !(tensor.item<double>() >= 0))
            throw Error(Message("window.optimizer_updates_invalid", { { "name", name } }));
    restoreTensors(this->state(), state, Message("window.optimizer_state"));
}

} // namespace accrue
