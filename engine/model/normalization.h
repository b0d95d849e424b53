// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>
#include <functional>
#include <string>

#include <torch/nn/module.h>

namespace accrue {

// A norm slot of a model: empty where model.norm is none.
using NormLayer = std::function<at::Tensor(const at::Tensor&)>;

// What a norm slot sees: pictures [b, channels, h, w] or vectors [b, channels].
struct NormShape {
    std::int64_t channels = 1;
    std::int64_t values = 1; // a channel and sample: h·w of pictures, 1 of vectors
};

// Groups of channels that a sample is normalised in. group: model.groups where given, otherwise the
// largest divisor of the channels that is at most 32 and leaves two channels or more a group;
// layer: one; instance: one a channel. Throws Error where model.groups does not divide the
// channels, or where a group would hold one value (whose output would be zero).
std::int64_t groupCount(const NormShape& shape, const ModelSettings& settings);

// Registers the norm that `settings` ask for as submodule `name` of `owner`, with torch's names
// (weight, bias; BatchNorm's buffers) and its eps of 1e-5. LayerNorm and InstanceNorm are the
// GroupNorm of one group and of one group a channel. Throws Error as groupCount does.
NormLayer addNorm(torch::nn::Module& owner, const std::string& name, const NormShape& shape,
    const ModelSettings& settings);

at::Tensor normalized(const NormLayer& norm, const at::Tensor& input);
// With ReLU in place: neither a norm layer nor a convolution nor a linear layer stores its output
// for the backward pass, so nobody reads it again.
at::Tensor normalizedRelu(const NormLayer& norm, const at::Tensor& input);

} // namespace accrue
