// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/network.h"
#include "engine/window/optimizer.h"
#include "engine/window/shard_layout.h"
#include "engine/window/world.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// The parameters of which this rank updates its part of each chunk, and what it remembers of these
// pieces. One thread.
class ParameterShard {
public:
    // `counts`: parameters of each chunk. `world` is borrowed; `network` for its parameters.
    ParameterShard(const Network& network, World& world, const std::vector<std::size_t>& counts);

    const ShardLayout& layout() const { return m_layout; }
    const Parameters& parameters() const { return m_parameters; } // of the network
    // What this rank owns of chunks [range.begin, range.end), as pieces of the parameters: flat,
    // views of `values` and `gradients`, which have what it owns of these chunks.
    Parameters pieces(
        ShardLayout::Range chunks, const at::Tensor& values, const at::Tensor& gradients) const;

    // What is remembered of pieces, by names such as "optimizer.mean.fc1.weight", as that of whole
    // parameters, whatever the number of ranks. Copies on the host; every rank calls it and has
    // them.
    NamedTensors whole(const NamedTensors& pieces) const;
    // The other way: what this rank needs of `whole`. Throws Error if it lacks a parameter. `like`:
    // what is remembered of the pieces now.
    NamedTensors part(const NamedTensors& whole, const NamedTensors& like) const;
    // This rank's piece of a parameter's values, which may have any order in memory and be on any
    // device; empty if it has none.
    at::Tensor pieceOf(std::size_t parameter, const at::Tensor& values) const;
    // Of the parameter of a piece; empty: it is padding.
    std::optional<std::size_t> indexOf(const std::string& piece) const;

private:
    const at::Tensor& fitting(
        std::size_t parameter, const std::string& name, const NamedTensors& whole) const;
    at::Tensor wholeOf(
        std::size_t parameter, const NamedTensors& pieces, const std::string& name) const;

    World& m_world;
    const Parameters m_parameters;
    const ShardLayout m_layout;
};

} // namespace accrue
