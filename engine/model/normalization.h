// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <torch/nn/module.h>

namespace accrue {

// A norm slot of a model: empty where model.norm is none.
using NormLayer = std::function<at::Tensor(const at::Tensor&)>;

// What a norm slot sees: pictures [b, channels, h, w] or vectors [b, channels].
struct NormShape {
    enum class Kind { Pictures, Vectors };
    Kind kind = Kind::Pictures;
    std::int64_t channels = 1;
};

// Groups of a GroupNorm: `asked` where given, otherwise the largest divisor of `channels` that is
// at most 32 and leaves two channels or more a group. Throws EngineError where `asked` does not
// divide the channels, or leaves one channel a group on vectors (whose output would be all zero).
std::int64_t groupCount(const NormShape& shape, std::optional<std::int64_t> asked);

// Registers the norm that `settings` ask for as submodule `name` of `owner`. BatchNorm keeps
// running statistics with torch's momentum 0.1; eps is 1e-5 in both.
NormLayer addNorm(torch::nn::Module& owner, const std::string& name, const NormShape& shape,
    const ModelSettings& settings);

} // namespace accrue
