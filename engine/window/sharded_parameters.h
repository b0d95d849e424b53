// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/layer_parameters.h"
#include "engine/window/chunk_memory.h"
#include "engine/window/parameter_holder.h"
#include "engine/window/parameter_shard.h"
#include "engine/window/pass_calls.h"

#include <cstddef>
#include <vector>

namespace accrue {

// Every rank has a part of the parameters, of their gradients and of the optimizer's state
// (distributed.shard = "parameters"; ZeRO-3, Rajbhandari et al. 2020, arXiv 1910.02054, with the
// chunks of Gemini, Fang et al. 2022, arXiv 2108.05818). A chunk of layers is gathered when one of
// them computes, forward or backward, and released when a layer of another chunk does. Its
// gradients are summed over the ranks, to the part that each owns, as soon as they are complete, so
// that those of a window are parts, too.
//
// distributed.device_memory: the chunks whose parts do not fit have them in the memory of the host,
// which also updates them. They come last, because a run needs all chunks equally often.
//
// The network has no parameters outside of passes; only their shapes may be read.
class ShardedParameters final : public ParameterHolder, private LayerParameters {
public:
    ShardedParameters(const Experiment& experiment, Network& network, PassCalls& calls);
    ~ShardedParameters() override;

    bool sharesParts() const override { return true; }
    bool sharesPasses() const override { return m_calls.size() > 1; }
    NamedTensors values() const override;
    NamedTensors copiesOfValues() const override;
    bool sharesValues() const override { return true; }
    void beginWindow(bool summed) override;
    void beginPass() override;
    void endPass() override;
    void provide(const at::Tensor& parameter) override;
    NamedTensors parameters() override;
    void restoreParameters(const NamedTensors& model) override;
    NamedTensors wholeState(const NamedTensors& own) override;
    NamedTensors ownState(const NamedTensors& whole, const NamedTensors& like) const override;
    NamedTensors wholeAverage(const NamedTensors& own) override;
    NamedTensors ownAverage(const NamedTensors& whole) const override;
    at::Tensor openGradient() override;
    void restoreGradient(const at::Tensor& saved) override;

private:
    class GatherForBackward;
    class SumWhenComplete;

    struct Chunk {
        ChunkMemory values;
        at::Tensor gradient {}; // whole, from its first gradient in a backward pass to its sum
        std::size_t pending = 0; // parameters whose gradients are not in it yet
        std::size_t own = 0; // which of m_own has this rank's part
        ShardLayout::Range part; // of it
    };
    // What this rank owns of chunks that are in the memory of one device.
    struct Own {
        ShardLayout::Range chunks;
        at::Tensor values, gradient; // flat
    };

    void beginLayer(std::size_t layer) override;
    void endLayer(std::size_t layer, const at::Tensor& output) override;
    void beginBackward(std::size_t layer);
    void accumulated(std::size_t chunk);

    void allocateOwn(std::int64_t onDevice);
    void addOwn(const ShardLayout::Range& chunks, const at::TensorOptions& options);
    void makeChunks();
    void moveParameters(std::size_t chunk);
    void gather(std::size_t chunk);
    void releaseValues();
    void releaseGradient(std::size_t chunk);
    at::Tensor partOf(std::size_t chunk, const at::Tensor& whole) const;
    // An AveragedWeights exchanges the memory of the values, so no view of it is kept.
    at::Tensor ownValues(const Chunk& chunk) const;
    at::Tensor ownGradient(const Chunk& chunk) const;
    ShardLayout::Range parametersOf(std::size_t chunk) const;
    NamedTensors averagePieces(const NamedTensors& own) const;

    Network& m_network;
    PassCalls& m_calls;
    const ParameterShard m_shard;
    std::vector<at::Tensor> m_parameters; // of the network
    std::vector<std::size_t> m_chunkOfLayer;
    std::vector<Own> m_own; // one or two: on the device, on the host
    std::vector<Chunk> m_chunks;
};

} // namespace accrue
