// SPDX-License-Identifier: Apache-2.0
#include "engine/model/normalization.h"

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/normalization.h>

#include "engine/door/engine_error.h"

namespace accrue {
namespace {

constexpr std::int64_t kMostGroups = 32;

std::int64_t automaticGroups(std::int64_t channels)
{
    for (std::int64_t groups = kMostGroups; groups > 1; --groups)
        if (channels % groups == 0 && channels / groups >= 2)
            return groups;
    return 1;
}

template <typename Module> NormLayer asLayer(Module module)
{
    return [module](const at::Tensor& input) mutable { return module->forward(input); };
}

} // namespace

std::int64_t groupCount(const NormShape& shape, std::optional<std::int64_t> asked)
{
    if (!asked)
        return automaticGroups(shape.channels);
    const std::string found = "model.groups is " + std::to_string(*asked) + ", but a layer has "
        + std::to_string(shape.channels) + " channels";
    if (*asked < 1 || shape.channels % *asked != 0)
        throw EngineError(found + "; give a divisor of it, or auto.");
    if (shape.kind == NormShape::Kind::Vectors && *asked == shape.channels)
        throw EngineError(
            found + ": one value a group normalises to zero; give fewer groups, or auto.");
    return *asked;
}

NormLayer addNorm(torch::nn::Module& owner, const std::string& name, const NormShape& shape,
    const ModelSettings& settings)
{
    switch (settings.norm) {
    case Norm::None:
        return {};
    case Norm::Batch:
        if (shape.kind == NormShape::Kind::Pictures)
            return asLayer(owner.register_module(name, torch::nn::BatchNorm2d(shape.channels)));
        return asLayer(owner.register_module(name, torch::nn::BatchNorm1d(shape.channels)));
    case Norm::Group:
        break;
    }
    const std::int64_t groups = groupCount(shape, settings.groups);
    return asLayer(owner.register_module(
        name, torch::nn::GroupNorm(torch::nn::GroupNormOptions(groups, shape.channels))));
}

} // namespace accrue
