// SPDX-License-Identifier: Apache-2.0
#include "engine/window/parameter_shard.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <torch/utils.h>

namespace accrue {
namespace {

// The piece behind the last parameter of a chunk. It has gradients of 0 and is in no checkpoint.
const std::string kPadding = "padding";

std::vector<std::int64_t> sizesOf(const Parameters& parameters)
{
    std::vector<std::int64_t> sizes;
    for (const at::Tensor& value : parameters.values)
        sizes.push_back(value.numel());
    return sizes;
}

// "optimizer.mean.fc1.weight": "optimizer.mean." and "fc1.weight"; "ema.fc1.weight": "ema." and
// "fc1.weight". The count of steps, "optimizer.updates", has no parameter.
struct StateName {
    explicit StateName(const std::string& name)
    {
        const std::size_t first = name.find('.') + 1;
        const std::size_t begin = name.starts_with("ema.") ? first : name.find('.', first) + 1;
        kind = name.substr(0, begin);
        parameter = begin > 0 ? name.substr(begin) : std::string();
    }

    std::string kind;
    std::string parameter;
};

void addOnce(std::vector<std::string>& all, const std::string& one)
{
    if (std::find(all.begin(), all.end(), one) == all.end())
        all.push_back(one);
}

const at::Tensor* find(const NamedTensors& tensors, const std::string& name)
{
    for (const auto& [key, tensor] : tensors)
        if (key == name)
            return &tensor;
    return nullptr;
}

} // namespace

ParameterShard::ParameterShard(
    const Network& network, World& world, const std::vector<std::size_t>& counts)
    : m_world(world)
    , m_parameters(network)
    , m_layout(sizesOf(m_parameters), counts, world.rank(), world.size())
{
}

Parameters ParameterShard::pieces(
    ShardLayout::Range chunks, const at::Tensor& values, const at::Tensor& gradients) const
{
    Parameters pieces;
    const std::int64_t begin =
        m_layout.chunks().at(static_cast<std::size_t>(chunks.begin)).own.begin;
    const auto add = [&](const std::string& name, const ShardLayout::Range& own, bool isMatrix) {
        if (own.length() == 0)
            return;
        pieces.names.push_back(name);
        pieces.values.push_back(values.narrow(/*dim=*/0, own.begin - begin, own.length()));
        pieces.gradients.push_back(gradients.narrow(/*dim=*/0, own.begin - begin, own.length()));
        pieces.areMatrices.push_back(isMatrix);
    };
    for (auto chunk = static_cast<std::size_t>(chunks.begin);
         chunk < static_cast<std::size_t>(chunks.end); ++chunk) {
        const ShardLayout::Chunk& all = m_layout.chunks().at(chunk);
        for (std::size_t i = all.firstParameter; i < all.endParameter; ++i)
            add(m_parameters.names[i], m_layout.pieceOf(i).own, m_parameters.areMatrices[i]);
        add(kPadding + std::to_string(chunk), m_layout.paddingOf(chunk).own, /*isMatrix=*/false);
    }
    return pieces;
}

// A sum to which each rank adds its piece, and zeros elsewhere.
at::Tensor ParameterShard::wholeOf(
    std::size_t parameter, const NamedTensors& pieces, const std::string& name) const
{
    const at::Tensor& value = m_parameters.values[parameter];
    const at::Tensor whole = at::zeros_like(value);
    if (const ShardLayout::Piece piece = m_layout.pieceOf(parameter); piece.own.length() > 0)
        whole.as_strided({ value.numel() }, { 1 })
            .narrow(/*dim=*/0, piece.begin, piece.own.length())
            .copy_(tensorOf(pieces, name));
    m_world.sum(whole.as_strided({ value.numel() }, { 1 }));
    return whole.cpu();
}

// All ranks go through the same kinds and parameters, also those of which they have no piece. Every
// rank has some piece, if only of the padding, so it knows the kinds.
NamedTensors ParameterShard::whole(const NamedTensors& pieces) const
{
    const torch::NoGradGuard noGrad;
    NamedTensors whole;
    std::vector<std::string> kinds;
    for (const auto& [name, tensor] : pieces) {
        const StateName parts(name);
        if (!parts.parameter.empty())
            addOnce(kinds, parts.kind);
        else if (find(whole, name) == nullptr) // parts on two devices both count the steps
            whole.emplace_back(name, tensor.cpu());
    }
    for (const std::string& kind : kinds)
        for (std::size_t i = 0; i < m_parameters.names.size(); ++i) {
            const std::string name = kind + m_parameters.names[i];
            whole.emplace_back(name, wholeOf(i, pieces, name));
        }
    return whole;
}

NamedTensors ParameterShard::part(const NamedTensors& whole, const NamedTensors& like) const
{
    const torch::NoGradGuard noGrad;
    NamedTensors part;
    for (const auto& [name, tensor] : like) {
        const std::string parameter = StateName(name).parameter;
        const auto index = indexOf(parameter);
        if (parameter.empty())
            part.emplace_back(name, tensorOf(whole, name));
        else if (!index)
            part.emplace_back(name, at::zeros_like(tensor)); // padding
        else
            part.emplace_back(name, pieceOf(*index, fitting(*index, name, whole)));
    }
    return part;
}

// Throws Error if the saved tensor does not have the parameter's shape.
const at::Tensor& ParameterShard::fitting(
    std::size_t parameter, const std::string& name, const NamedTensors& whole) const
{
    const at::Tensor& saved = tensorOf(whole, name);
    checkSameLayout({ { name, m_parameters.values[parameter] } }, { { name, saved } },
        Message("window.optimizer_state"));
    return saved;
}

std::optional<std::size_t> ParameterShard::indexOf(const std::string& piece) const
{
    const auto found = std::find(m_parameters.names.begin(), m_parameters.names.end(), piece);
    if (found == m_parameters.names.end())
        return {};
    return static_cast<std::size_t>(found - m_parameters.names.begin());
}

at::Tensor ParameterShard::pieceOf(std::size_t parameter, const at::Tensor& values) const
{
    const at::Tensor& like = m_parameters.values[parameter];
    const at::Tensor inOrder =
        at::empty_strided(like.sizes(), like.strides(), values.options().requires_grad(false));
    inOrder.copy_(values);
    const ShardLayout::Piece piece = m_layout.pieceOf(parameter);
    const std::int64_t begin = piece.own.length() > 0 ? piece.begin : 0;
    return inOrder.as_strided({ inOrder.numel() }, { 1 })
        .narrow(/*dim=*/0, begin, piece.own.length());
}

} // namespace accrue
