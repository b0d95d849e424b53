// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/network.h"
#include "engine/window/optimizer.h"
#include "engine/window/world.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// The part of all parameters that this rank updates, with distributed.shard = "optimizer": the flat
// sequence of their values, padded to a multiple of the ranks, is cut into one part for each rank
// (ZeRO-1, Rajbhandari et al. 2020, arXiv 1910.02054). A part begins and ends anywhere within a
// parameter. Each rank has the whole parameters and the whole gradient, but the optimizer's state
// of its part alone. One thread.
class ParameterShard {
public:
    // Moves the parameters of `network`, which keep their values, into one flat tensor. Both are
    // borrowed. Call it before anything keeps a view of them.
    ParameterShard(Network& network, World& world);

    // Values of the flat tensor, with the padding: a multiple of the ranks.
    std::int64_t values() const { return m_flat.numel(); }
    // The optimizer's parameters: pieces of those of the network, flat, with the pieces of
    // `gradient` (flat, values() long) in the same places.
    Parameters pieces(const at::Tensor& gradient) const;
    // This rank's part of a tensor of values(); shares its memory.
    at::Tensor partOf(const at::Tensor& flat) const;
    // After the step: each rank sends its part of the parameters to the others.
    void gather() { m_world.gatherParts(m_flat); }

    // The state of the optimizer of pieces() as that of an optimizer of the whole network, whatever
    // the number of ranks. Copies; every rank calls it and has them.
    NamedTensors whole(const NamedTensors& state) const;
    // The other way: the part that this rank needs of a `whole` state. Throws Error if it lacks a
    // parameter. `like`: the state of the optimizer of pieces().
    NamedTensors part(const NamedTensors& whole, const NamedTensors& like) const;

private:
    struct Range { // of flat values
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::int64_t length() const { return end - begin; }
    };
    Range ownRange() const;
    Range rangeOf(std::size_t parameter) const;
    Range ownRangeOf(std::size_t parameter) const;
    std::size_t indexOf(const std::string& parameter) const;
    at::Tensor wholeOf(
        std::size_t parameter, const NamedTensors& state, const std::string& name) const;
    at::Tensor pieceOf(
        std::size_t parameter, const std::string& name, const at::Tensor& saved) const;

    World& m_world;
    const Parameters m_parameters; // of the network
    std::vector<std::int64_t> m_begins; // of each in the flat tensor
    at::Tensor m_flat;
};

} // namespace accrue
