// SPDX-License-Identifier: Apache-2.0
#include "engine/window/parameter_shard.h"

#include <algorithm>
#include <string>

#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

// The piece behind the last parameter. It has gradients of 0 and is in no checkpoint.
const std::string kPadding = "padding";

std::int64_t paddedCount(std::int64_t count, std::int64_t ranks)
{
    return (count + ranks - 1) / ranks * ranks;
}

// In the parameter's own order in memory, as the flat gradient is (Accumulator).
at::Tensor flattened(Network& network, std::int64_t ranks)
{
    const torch::NoGradGuard noGrad;
    const auto parameters = network.parameters();
    const at::Tensor flat = at::zeros({ paddedCount(network.parameterCount(), ranks) },
        parameters.front().options().requires_grad(false));
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

// "optimizer.mean.fc1.weight": "optimizer.mean." and "fc1.weight"; the count of steps has no
// parameter.
struct StateName {
    explicit StateName(const std::string& name)
        : kind(name.substr(0, name.find('.', name.find('.') + 1) + 1))
        , parameter(kind.empty() ? std::string() : name.substr(kind.size()))
    {
    }

    std::string kind;
    std::string parameter;
};

} // namespace

ParameterShard::ParameterShard(Network& network, World& world)
    : m_world(world)
    , m_parameters(network)
    , m_flat(flattened(network, world.size()))
{
    std::int64_t begin = 0;
    for (const at::Tensor& value : m_parameters.values) {
        m_begins.push_back(begin);
        begin += value.numel();
    }
}

ParameterShard::Range ParameterShard::ownRange() const
{
    const std::int64_t length = values() / m_world.size();
    return { m_world.rank() * length, (m_world.rank() + 1) * length };
}

ParameterShard::Range ParameterShard::rangeOf(std::size_t parameter) const
{
    return { m_begins[parameter], m_begins[parameter] + m_parameters.values[parameter].numel() };
}

// Empty, with a length of 0 or less, if this rank has nothing of the parameter.
ParameterShard::Range ParameterShard::ownRangeOf(std::size_t parameter) const
{
    const Range own = ownRange();
    const Range all = rangeOf(parameter);
    return { std::max(own.begin, all.begin), std::min(own.end, all.end) };
}

at::Tensor ParameterShard::partOf(const at::Tensor& flat) const
{
    const Range own = ownRange();
    return flat.narrow(/*dim=*/0, own.begin, own.length());
}

Parameters ParameterShard::pieces(const at::Tensor& gradient) const
{
    Parameters pieces;
    const auto add = [&](const std::string& name, const Range& range, bool isMatrix) {
        if (range.length() <= 0)
            return;
        pieces.names.push_back(name);
        pieces.values.push_back(m_flat.narrow(/*dim=*/0, range.begin, range.length()));
        pieces.gradients.push_back(gradient.narrow(/*dim=*/0, range.begin, range.length()));
        pieces.areMatrices.push_back(isMatrix);
    };
    for (std::size_t i = 0; i < m_begins.size(); ++i)
        add(m_parameters.names[i], ownRangeOf(i), m_parameters.areMatrices[i]);
    const Range own = ownRange();
    const std::int64_t count = rangeOf(m_begins.size() - 1).end;
    add(kPadding, { std::max(own.begin, count), own.end }, /*isMatrix=*/false);
    return pieces;
}

// A sum to which each rank adds its piece, and zeros elsewhere.
at::Tensor ParameterShard::wholeOf(
    std::size_t parameter, const NamedTensors& state, const std::string& name) const
{
    const at::Tensor& value = m_parameters.values[parameter];
    const at::Tensor whole = at::zeros_like(value);
    const at::Tensor flat = whole.as_strided({ value.numel() }, { 1 });
    if (const Range own = ownRangeOf(parameter); own.length() > 0)
        flat.narrow(/*dim=*/0, own.begin - m_begins[parameter], own.length())
            .copy_(tensorOf(state, name));
    m_world.sum(flat);
    return whole;
}

// All ranks go through the same kinds and parameters, also those of which they have no piece. Every
// rank has some piece, if only of the padding, so it knows the kinds.
NamedTensors ParameterShard::whole(const NamedTensors& state) const
{
    const torch::NoGradGuard noGrad;
    const std::string first = pieces(m_flat).names.front();
    NamedTensors whole;
    for (const auto& [name, tensor] : state) {
        const StateName parts(name);
        if (parts.parameter.empty())
            whole.emplace_back(name, tensor);
        else if (parts.parameter == first)
            for (std::size_t i = 0; i < m_begins.size(); ++i)
                whole.emplace_back(parts.kind + m_parameters.names[i],
                    wholeOf(i, state, parts.kind + m_parameters.names[i]));
    }
    return whole;
}

NamedTensors ParameterShard::part(const NamedTensors& whole, const NamedTensors& like) const
{
    const torch::NoGradGuard noGrad;
    NamedTensors part;
    for (const auto& [name, tensor] : like) {
        const std::string parameter = StateName(name).parameter;
        if (parameter == kPadding)
            part.emplace_back(name, at::zeros_like(tensor));
        else if (parameter.empty())
            part.emplace_back(name, tensorOf(whole, name));
        else
            part.emplace_back(name, pieceOf(indexOf(parameter), name, tensorOf(whole, name)));
    }
    return part;
}

std::size_t ParameterShard::indexOf(const std::string& parameter) const
{
    const auto& names = m_parameters.names;
    return static_cast<std::size_t>(
        std::find(names.begin(), names.end(), parameter) - names.begin());
}

// The saved tensor may have another order in memory.
at::Tensor ParameterShard::pieceOf(
    std::size_t parameter, const std::string& name, const at::Tensor& saved) const
{
    const at::Tensor& value = m_parameters.values[parameter];
    checkSameLayout({ { name, value } }, { { name, saved } }, Message("window.optimizer_state"));
    const at::Tensor inOrder = at::empty_like(value).copy_(saved);
    const Range own = ownRangeOf(parameter);
    return inOrder.as_strided({ inOrder.numel() }, { 1 })
        .narrow(/*dim=*/0, own.begin - m_begins[parameter], own.length());
}

} // namespace accrue
