// SPDX-License-Identifier: Apache-2.0
#include "engine/model/normalization.h"

#include <torch/nn/modules/normalization.h>

#include "engine/door/engine_error.h"
#include "engine/experiment/models.h"
#include "engine/model/batch_norm.h"
#include "engine/model/layer.h"

namespace accrue {
namespace {

std::int64_t givenGroups(std::int64_t channels, std::int64_t asked)
{
    if (asked < 1 || channels % asked != 0)
        throw EngineError("model.groups is " + std::to_string(asked) + ", but a layer has "
            + std::to_string(channels) + " channels; give a divisor of it, or auto.");
    return asked;
}

std::int64_t askedGroups(std::int64_t channels, const ModelSettings& settings)
{
    if (settings.norm == Norm::Layer)
        return 1;
    if (settings.norm == Norm::Instance)
        return channels;
    return settings.groups ? givenGroups(channels, *settings.groups) : automaticGroups(channels);
}

template <typename Module> NormLayer asLayer(Module module)
{
    return [module](const at::Tensor& input) mutable { return module->forward(input); };
}

} // namespace

std::int64_t groupCount(const NormShape& shape, const ModelSettings& settings)
{
    const std::int64_t groups = askedGroups(shape.channels, settings);
    if (shape.channels / groups * shape.values == 1)
        throw EngineError("A layer of " + std::to_string(shape.channels)
            + " channels with one value each would be normalised one value at a time, which makes "
              "it zero; choose another model.norm or fewer model.groups, or larger pictures (with "
              "resnet18 also model.stem = cifar).");
    return groups;
}

NormLayer addNorm(torch::nn::Module& owner, const std::string& name, const NormShape& shape,
    const ModelSettings& settings)
{
    if (settings.norm == Norm::None)
        return {};
    if (settings.norm == Norm::Batch)
        return asLayer(
            owner.register_module(name, Marked<BatchNormImpl>(shape.channels, settings)));
    const torch::nn::GroupNormOptions options(groupCount(shape, settings), shape.channels);
    return asLayer(owner.register_module(name, Marked<torch::nn::GroupNormImpl>(options)));
}

at::Tensor normalized(const NormLayer& norm, const at::Tensor& input)
{
    return norm ? norm(input) : input;
}

at::Tensor normalizedRelu(const NormLayer& norm, const at::Tensor& input)
{
    return normalized(norm, input).relu_();
}

} // namespace accrue
