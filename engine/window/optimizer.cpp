// SPDX-License-Identifier: Apache-2.0
#include "engine/window/optimizer.h"

#include <array>
#include <utility>

#include <torch/nn/module.h>

#include "engine/base/error.h"
#include "engine/memory/memory_meter.h"

namespace accrue {

using OptimizerMaker = std::unique_ptr<Optimizer>(const OptimizerSettings&, const Parameters&);

// Each is in a file of its own, optimizer_NAME.cpp.
OptimizerMaker makeSgd;
OptimizerMaker makeAdam;
OptimizerMaker makeAdamW;
OptimizerMaker makeRmsprop;

namespace {

// In the order of OptimizerName, like optimizerTable.
constexpr std::array kOptimizers { makeSgd, makeAdam, makeAdamW, makeRmsprop };

} // namespace

Parameters::Parameters(const torch::nn::Module& module)
{
    for (const auto& named : module.named_parameters()) {
        names.push_back(named.key());
        values.push_back(named.value());
        gradients.push_back(named.value().grad());
        areMatrices.push_back(named.value().dim() > 1);
    }
}

std::vector<at::Tensor> Group::of(const std::vector<at::Tensor>& all) const
{
    std::vector<at::Tensor> chosen;
    for (std::size_t i = 0; i < members.size() && !all.empty(); ++i) {
        const at::Tensor& tensor = all[members[i]];
        chosen.push_back(tensor.detach().as_strided({ tensor.numel() }, { 1 }));
    }
    return chosen;
}

std::vector<Group> groupsOf(const OptimizerSettings& settings, const Parameters& parameters)
{
    Group decayed { settings.weightDecay, {} };
    Group exempt;
    for (std::size_t index = 0; index < parameters.values.size(); ++index) {
        const bool matrix = parameters.areMatrices[index];
        const bool alike = settings.decayNormAndBias || settings.weightDecay == 0;
        (alike || matrix ? decayed : exempt).members.push_back(index);
    }
    std::vector<Group> groups;
    for (Group* group : { &decayed, &exempt })
        if (!group->members.empty())
            groups.push_back(std::move(*group));
    return groups;
}

Optimizer::Optimizer(const OptimizerSettings& settings, const Parameters& parameters)
    : m_settings(settings)
    , m_parameters(parameters)
{
}

std::vector<at::Tensor> Optimizer::remember(const std::string& name)
{
    std::vector<at::Tensor> zeros;
    for (std::size_t index = 0; index < m_parameters.values.size(); ++index) {
        zeros.push_back(at::zeros_like(m_parameters.values[index]));
        m_remembered.emplace_back(
            "optimizer." + name + "." + m_parameters.names[index], zeros.back());
    }
    return zeros;
}

NamedTensors Optimizer::state() const
{
    NamedTensors state { { kUpdates, updates() } };
    state.insert(state.end(), m_remembered.begin(), m_remembered.end());
    return state;
}

// A count that is negative or NaN passes every check of layout, but the corrections by 1 − βᵗ would
// make the parameters NaN.
void Optimizer::restore(const NamedTensors& state)
{
    for (const auto& [name, tensor] : state)
        if (name == kUpdates && tensor.numel() == 1 && !(tensor.item<double>() >= 0))
            throw Error(Message("window.optimizer_updates_invalid", { { "name", name } }));
    restoreTensors(this->state(), state, Message("window.optimizer_state"));
}

std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const Parameters& parameters)
{
    std::unique_ptr<Optimizer> optimizer =
        kOptimizers.at(static_cast<std::size_t>(settings.name))(settings, parameters);
    for (const auto& [name, tensor] : optimizer->state())
        ownMemory(tensor, MemoryCategory::OptimizerState, name);
    return optimizer;
}

} // namespace accrue
