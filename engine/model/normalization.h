// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>
#include <functional>
#include <string>

#include <torch/nn/module.h>

namespace accrue {

// A norm slot of a model: empty if model.norm is none.
using NormLayer = std::function<at::Tensor(const at::Tensor&)>;

// The input of a norm slot: pictures [b, channels, h, w] or vectors [b, channels].
struct NormShape {
    std::int64_t channels = 1;
    std::int64_t values = 1; // per channel and sample: h·w of pictures, 1 of vectors
};

// Groups of channels in which a sample is normalised. group: model.groups if given, otherwise the
// largest divisor of the channels that is at most 32 and leaves at least two channels per group;
// layer: one; instance: one per channel. Throws Error if model.groups does not divide the channels,
// or if a group would have one value (whose output would be zero).
std::int64_t groupCount(const NormShape& shape, const ModelSettings& settings);

// Registers the norm of `settings` as submodule `name` of `owner`, with torch's names (weight,
// bias; BatchNorm's buffers) and its eps of 1e-5. LayerNorm and InstanceNorm are the GroupNorm of
// one group and of one group per channel. Throws Error as groupCount does.
NormLayer addNorm(torch::nn::Module& owner, const std::string& name, const NormShape& shape,
    const ModelSettings& settings);

at::Tensor normalized(const NormLayer& norm, const at::Tensor& input);
// With ReLU in place: neither a norm layer nor a convolution nor a linear layer stores its output
// for the backward pass, so nobody reads it again.
at::Tensor normalizedRelu(const NormLayer& norm, const at::Tensor& input);

} // namespace accrue
