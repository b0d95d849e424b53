// SPDX-License-Identifier: Apache-2.0
#include "engine/model/normalization.h"

#include <torch/nn/modules/normalization.h>

#include "engine/base/error.h"
#include "engine/experiment/models.h"
#include "engine/model/batch_norm.h"
#include "engine/model/layer.h"

namespace accrue {
namespace {

std::int64_t givenGroups(std::int64_t channels, std::int64_t asked)
{
    if (asked < 1 || channels % asked != 0)
        throw Error(
            Message("model.groups_no_divisor", { { "groups", asked }, { "channels", channels } }));
    return asked;
}

// Layer and instance normalisation are the two ends of group normalisation.
std::int64_t askedGroups(std::int64_t channels, const ModelSettings& settings)
{
    if (settings.norm == Norm::Layer)
        return 1;
    if (settings.norm == Norm::Instance)
        return channels;
    return settings.groups ? givenGroups(channels, *settings.groups) : automaticGroups(channels);
}

// A function, so that a model has one kind of member for any norm and for none.
template <typename Module> NormLayer asLayer(Module module)
{
    return [module](const at::Tensor& input) mutable { return module->forward(input); };
}

} // namespace

std::int64_t groupCount(const NormShape& shape, const ModelSettings& settings)
{
    const std::int64_t groups = askedGroups(shape.channels, settings);
    if (shape.channels / groups * shape.values == 1)
        throw Error(Message("model.norm_one_value", { { "channels", shape.channels } }));
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
