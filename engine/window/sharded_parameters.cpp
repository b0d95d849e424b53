// SPDX-License-Identifier: Apache-2.0
#include "engine/window/sharded_parameters.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/utils.h>

#include "engine/experiment/keys.h"
#include "engine/memory/host_scope.h"
#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

std::vector<std::int64_t> bytesOfLayers(const Network& network)
{
    std::vector<std::int64_t> bytes;
    const auto parameters = network.parameters();
    auto parameter = parameters.begin();
    for (const std::size_t count : network.layers()) {
        bytes.push_back(0);
        for (std::size_t i = 0; i < count; ++i)
            bytes.back() += static_cast<std::int64_t>((parameter++)->nbytes());
    }
    return bytes;
}

// The largest layer has to be gathered anyway, so chunks of its size cost no more memory, and have
// the fewest calls to the other ranks.
std::vector<std::size_t> countsOf(const Experiment& experiment, const Network& network)
{
    const std::vector<std::int64_t> bytes = bytesOfLayers(network);
    const ChunkSize& chunk = experiment.distributed.chunk;
    return chunksOfLayers(bytes, network.layers(),
        chunk.bytes ? chunk.bytes->count : *std::max_element(bytes.begin(), bytes.end()));
}

// Values whose parameters, gradients and state this rank may have on the device.
std::int64_t valuesOnDevice(const Experiment& experiment, const at::Tensor& parameter)
{
    const auto& limit = experiment.distributed.deviceMemory;
    return limit ? limit->count
            / (heldCopies(experiment) * static_cast<std::int64_t>(parameter.element_size()))
                 : std::numeric_limits<std::int64_t>::max();
}

at::Tensor narrowed(const at::Tensor& tensor, const ShardLayout::Range& range)
{
    return tensor.narrow(/*dim=*/0, range.begin, range.length());
}

} // namespace

// Before a layer's backward pass.
class ShardedParameters::GatherForBackward final : public torch::autograd::FunctionPreHook {
public:
    GatherForBackward(ShardedParameters& all, std::size_t layer)
        : m_all(all)
        , m_layer(layer)
    {
    }

    torch::autograd::variable_list operator()(
        const torch::autograd::variable_list& gradients) override
    {
        m_all.beginBackward(m_layer);
        return gradients;
    }

private:
    ShardedParameters& m_all;
    const std::size_t m_layer;
};

// After the gradient of a parameter has been added up.
class ShardedParameters::SumWhenComplete final : public torch::autograd::PostAccumulateGradHook {
public:
    SumWhenComplete(ShardedParameters& all, std::size_t chunk)
        : m_all(all)
        , m_chunk(chunk)
    {
    }

    void operator()(const torch::autograd::Variable& /*parameter*/) override
    {
        m_all.accumulated(m_chunk);
    }

private:
    ShardedParameters& m_all;
    const std::size_t m_chunk;
};

ShardedParameters::ShardedParameters(
    const Experiment& experiment, Network& network, PassCalls& calls)
    : ParameterHolder(/*sharesState=*/true)
    , m_network(network)
    , m_calls(calls)
    , m_shard(network, calls, countsOf(experiment, network))
    , m_parameters(network.parameters())
{
    const torch::NoGradGuard noGrad;
    std::size_t parameter = 0;
    for (const std::size_t count : network.layers()) {
        m_chunkOfLayer.push_back(m_shard.layout().placeOf(parameter).chunk);
        parameter += count;
    }
    allocateOwn(valuesOnDevice(experiment, m_parameters.front()));
    makeChunks();
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
        torch::autograd::impl::set_post_acc_grad_hooks(m_parameters[i],
            std::make_unique<SumWhenComplete>(*this, m_shard.layout().placeOf(i).chunk));
    network.setLayerParameters(this);
}

ShardedParameters::~ShardedParameters()
{
    m_network.setLayerParameters(nullptr);
    for (const at::Tensor& parameter : m_parameters)
        torch::autograd::impl::set_post_acc_grad_hooks(parameter, nullptr);
}

void ShardedParameters::allocateOwn(std::int64_t onDevice)
{
    const auto& chunks = m_shard.layout().chunks();
    const auto count = static_cast<std::int64_t>(chunks.size());
    std::int64_t first = 0; // chunk on the host
    while (first < count && chunks[static_cast<std::size_t>(first)].own.end <= onDevice)
        ++first;
    const at::TensorOptions options = m_parameters.front().options().requires_grad(false);
    if (first > 0)
        addOwn({ 0, first }, options);
    if (first == count)
        return;
    const HostScope onHost;
    addOwn(
        { first, count }, options.device(at::kCPU).pinned_memory(!m_parameters.front().is_cpu()));
}

void ShardedParameters::addOwn(const ShardLayout::Range& chunks, const at::TensorOptions& options)
{
    const auto& all = m_shard.layout().chunks();
    const std::int64_t values = all[static_cast<std::size_t>(chunks.end) - 1].own.end
        - all[static_cast<std::size_t>(chunks.begin)].own.begin;
    Own own { chunks, at::zeros({ values }, options), at::zeros({ values }, options) };
    ownMemory(own.values, MemoryCategory::Parameters, "parameters");
    ownMemory(own.gradient, MemoryCategory::Gradients, "gradients");
    m_parts.push_back(
        { m_shard.pieces(chunks, own.values, own.gradient), own.gradient, HostScope::isOpen() });
    m_own.push_back(std::move(own));
}

void ShardedParameters::makeChunks()
{
    const auto& chunks = m_shard.layout().chunks();
    const at::TensorOptions options = m_parameters.front().options().requires_grad(false);
    for (std::size_t own = 0; own < m_own.size(); ++own) {
        const auto first = static_cast<std::size_t>(m_own[own].chunks.begin);
        for (std::size_t i = first; i < static_cast<std::size_t>(m_own[own].chunks.end); ++i) {
            const std::int64_t begin = chunks[i].own.begin - chunks[first].own.begin;
            m_chunks.push_back({ .values = ChunkMemory(chunks[i].values, options),
                .own = own,
                .part = { begin, begin + chunks[i].own.length() } });
            moveParameters(i);
            m_chunks[i].values.release();
        }
    }
}

// The parameters become views of the chunk's memory.
void ShardedParameters::moveParameters(std::size_t chunk)
{
    const ShardLayout::Chunk& layout = m_shard.layout().chunks()[chunk];
    for (std::size_t i = layout.firstParameter; i < layout.endParameter; ++i) {
        const at::Tensor& parameter = m_parameters[i];
        const ShardLayout::Piece piece = m_shard.layout().pieceOf(i);
        const std::int64_t begin = piece.own.begin - layout.own.begin;
        if (piece.own.length() > 0)
            narrowed(ownValues(m_chunks[chunk]), { begin, begin + piece.own.length() })
                .copy_(m_shard.pieceOf(i, parameter.detach()));
        parameter.set_data(m_chunks[chunk].values.tensor().as_strided(
            parameter.sizes(), parameter.strides(), m_shard.layout().placeOf(i).range.begin));
        parameter.mutable_grad().reset();
    }
}

NamedTensors ShardedParameters::values() const
{
    NamedTensors values;
    for (const Own& own : m_own)
        values.emplace_back(std::to_string(values.size()), own.values);
    return values;
}

NamedTensors ShardedParameters::copiesOfValues() const
{
    NamedTensors copies = values();
    for (std::size_t place = 0; place < m_own.size(); ++place) {
        std::optional<HostScope> onHost;
        if (m_parts[place].isOnHost)
            onHost.emplace();
        copies[place].second = m_own[place].values.clone();
    }
    return copies;
}

void ShardedParameters::beginWindow(bool /*summed*/)
{
    for (const Own& own : m_own)
        own.gradient.zero_();
}

// Also after a pass that has failed.
void ShardedParameters::beginPass()
{
    for (std::size_t chunk = 0; chunk < m_chunks.size(); ++chunk)
        releaseGradient(chunk);
    releaseValues();
}

void ShardedParameters::endPass()
{
    releaseValues();
}

void ShardedParameters::beginLayer(std::size_t layer)
{
    gather(m_chunkOfLayer[layer]);
}

void ShardedParameters::endLayer(std::size_t layer, const at::Tensor& output)
{
    if (const auto& node = output.grad_fn())
        node->add_pre_hook(std::make_unique<GatherForBackward>(*this, layer));
}

void ShardedParameters::beginBackward(std::size_t layer)
{
    const std::size_t index = m_chunkOfLayer[layer];
    gather(index);
    Chunk& chunk = m_chunks[index];
    if (chunk.gradient.defined())
        return;
    const ShardLayout::Chunk& layout = m_shard.layout().chunks()[index];
    chunk.gradient = at::zeros({ layout.values }, chunk.values.tensor().options());
    ownMemory(chunk.gradient, MemoryCategory::Gradients, "gathered gradients");
    chunk.pending = layout.endParameter - layout.firstParameter;
    for (std::size_t i = layout.firstParameter; i < layout.endParameter; ++i)
        m_parameters[i].mutable_grad() = chunk.gradient.as_strided(m_parameters[i].sizes(),
            m_parameters[i].strides(), m_shard.layout().placeOf(i).range.begin);
}

void ShardedParameters::accumulated(std::size_t index)
{
    Chunk& chunk = m_chunks[index];
    if (--chunk.pending > 0)
        return;
    const torch::NoGradGuard noGrad;
    m_calls.sumOwnPart(chunk.gradient);
    const at::Tensor part = partOf(index, chunk.gradient);
    const at::Tensor own = ownGradient(chunk);
    own.add_(part.to(own.device()));
    releaseGradient(index);
}

void ShardedParameters::gather(std::size_t index)
{
    Chunk& chunk = m_chunks[index];
    if (chunk.values.exists())
        return;
    const torch::NoGradGuard noGrad;
    releaseValues();
    chunk.values.allocate();
    partOf(index, chunk.values.tensor()).copy_(ownValues(chunk));
    m_calls.gatherParts(chunk.values.tensor());
}

void ShardedParameters::releaseValues()
{
    for (Chunk& chunk : m_chunks)
        chunk.values.release();
}

void ShardedParameters::releaseGradient(std::size_t index)
{
    if (!m_chunks[index].gradient.defined())
        return;
    m_chunks[index].gradient.reset();
    const ShardLayout::Chunk& layout = m_shard.layout().chunks()[index];
    for (std::size_t i = layout.firstParameter; i < layout.endParameter; ++i)
        m_parameters[i].mutable_grad().reset();
}

at::Tensor ShardedParameters::partOf(std::size_t chunk, const at::Tensor& whole) const
{
    return narrowed(whole, m_shard.layout().partOf(chunk));
}

at::Tensor ShardedParameters::ownValues(const Chunk& chunk) const
{
    return narrowed(m_own[chunk.own].values, chunk.part);
}

at::Tensor ShardedParameters::ownGradient(const Chunk& chunk) const
{
    return narrowed(m_own[chunk.own].gradient, chunk.part);
}

void ShardedParameters::provide(const at::Tensor& parameter)
{
    for (std::size_t index = 0; index < m_chunks.size(); ++index)
        if (m_chunks[index].values.tensor().is_alias_of(parameter))
            gather(index);
}

NamedTensors ShardedParameters::parameters()
{
    NamedTensors parameters;
    for (std::size_t index = 0; index < m_chunks.size(); ++index) {
        gather(index);
        const ShardLayout::Chunk& layout = m_shard.layout().chunks()[index];
        for (std::size_t i = layout.firstParameter; i < layout.endParameter; ++i)
            parameters.push_back(
                clonedToHost({ { m_shard.parameters().names[i], m_parameters[i] } }).front());
    }
    releaseValues();
    return parameters;
}

void ShardedParameters::restoreParameters(const NamedTensors& model)
{
    const torch::NoGradGuard noGrad;
    releaseValues();
    for (const Part& part : m_parts)
        for (std::size_t piece = 0; piece < part.parameters.names.size(); ++piece)
            if (const auto index = m_shard.indexOf(part.parameters.names[piece]))
                part.parameters.values[piece].copy_(
                    m_shard.pieceOf(*index, tensorOf(model, part.parameters.names[piece])));
}

NamedTensors ShardedParameters::wholeState(const NamedTensors& own)
{
    return m_shard.whole(own);
}

NamedTensors ShardedParameters::ownState(const NamedTensors& whole, const NamedTensors& like) const
{
    return m_shard.part(whole, like);
}

// The flat tensors of values() as pieces of the parameters.
NamedTensors ShardedParameters::averagePieces(const NamedTensors& own) const
{
    NamedTensors named;
    for (std::size_t place = 0; place < m_own.size(); ++place) {
        const at::Tensor& flat = own.at(place).second;
        const Parameters pieces = m_shard.pieces(m_own[place].chunks, flat, flat);
        for (std::size_t i = 0; i < pieces.names.size(); ++i)
            named.emplace_back("ema." + pieces.names[i], pieces.values[i]);
    }
    return named;
}

NamedTensors ShardedParameters::wholeAverage(const NamedTensors& own)
{
    return m_shard.whole(averagePieces(own));
}

NamedTensors ShardedParameters::ownAverage(const NamedTensors& whole) const
{
    NamedTensors own;
    for (const Own& place : m_own)
        own.emplace_back("ema." + std::to_string(own.size()), at::zeros_like(place.values));
    const NamedTensors pieces = averagePieces(own);
    copyValues(pieces, m_shard.part(whole, pieces));
    return own;
}

// Where the chunk's parameters are among those of the network, as values.
ShardLayout::Range ShardedParameters::parametersOf(std::size_t chunk) const
{
    const ShardLayout::Chunk& layout = m_shard.layout().chunks()[chunk];
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < layout.firstParameter; ++i)
        begin += m_parameters[i].numel();
    return { begin, begin + m_shard.layout().placeOf(layout.endParameter - 1).range.end };
}

// The gradient is the sum already, so that of rank 0 is all of it.
at::Tensor ShardedParameters::openGradient()
{
    const torch::NoGradGuard noGrad;
    const at::TensorOptions options = m_parameters.front().options().requires_grad(false);
    const at::Tensor all = at::zeros({ m_network.parameterCount() }, options.device(at::kCPU));
    for (std::size_t index = 0; index < m_chunks.size(); ++index) {
        const at::Tensor whole = at::empty({ m_shard.layout().chunks()[index].values }, options);
        partOf(index, whole).copy_(ownGradient(m_chunks[index]));
        m_calls.gatherParts(whole);
        const ShardLayout::Range range = parametersOf(index);
        if (m_calls.rank() == 0)
            narrowed(all, range).copy_(narrowed(whole, { 0, range.length() }));
    }
    return all;
}

void ShardedParameters::restoreGradient(const at::Tensor& saved)
{
    const torch::NoGradGuard noGrad;
    const at::TensorOptions options = m_parameters.front().options().requires_grad(false);
    for (std::size_t index = 0; index < m_chunks.size(); ++index) {
        const at::Tensor whole = at::zeros({ m_shard.layout().chunks()[index].values }, options);
        const ShardLayout::Range range = parametersOf(index);
        narrowed(whole, { 0, range.length() }).copy_(narrowed(saved, range));
        m_calls.sumOwnPart(whole);
        ownGradient(m_chunks[index]).copy_(partOf(index, whole));
    }
}

} // namespace accrue
