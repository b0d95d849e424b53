// SPDX-License-Identifier: Apache-2.0
#include "engine/model/lenet5.h"

#include <torch/nn/functional/pooling.h>

#include "engine/door/engine_error.h"

namespace accrue {
namespace {

constexpr std::int64_t kSmallestSide = 12; // leaves 1 × 1 after the second pooling

std::int64_t features(const PictureShape& shape)
{
    if (shape.height < kSmallestSide || shape.width < kSmallestSide)
        throw EngineError("lenet5 needs pictures of at least 12 × 12 pixels, this data set has "
            + std::to_string(shape.height) + " × " + std::to_string(shape.width)
            + "; choose model.name = mlp.");
    const auto side = [](std::int64_t length) { return (length / 2 - 4) / 2; };
    return 16 * side(shape.height) * side(shape.width);
}

NormShape pictures(std::int64_t channels)
{
    return { NormShape::Kind::Pictures, channels };
}

// In place: nothing before a ReLU keeps its output for the backward pass, so nobody reads it again.
at::Tensor activate(const NormLayer& norm, const at::Tensor& input)
{
    return norm ? norm(input).relu_() : at::Tensor(input).relu_();
}

} // namespace

LeNet5Impl::LeNet5Impl(const ModelSettings& settings, const PictureShape& shape)
    : m_conv1(torch::nn::Conv2dOptions(shape.channels, 6, /*kernel_size=*/5).padding(2))
    , m_conv2(torch::nn::Conv2dOptions(6, 16, /*kernel_size=*/5))
    , m_fc1(features(shape), 120)
    , m_fc2(120, 84)
    , m_fc3(84, shape.classes)
{
    register_module("conv1", m_conv1);
    m_norm1 = addNorm(*this, "norm1", pictures(6), settings);
    register_module("conv2", m_conv2);
    m_norm2 = addNorm(*this, "norm2", pictures(16), settings);
    register_module("fc1", m_fc1);
    register_module("fc2", m_fc2);
    register_module("fc3", m_fc3);
}

at::Tensor LeNet5Impl::forward(const at::Tensor& images)
{
    at::Tensor x = at::max_pool2d(activate(m_norm1, m_conv1->forward(images)), /*kernel_size=*/2);
    x = at::max_pool2d(activate(m_norm2, m_conv2->forward(x)), /*kernel_size=*/2);
    x = m_fc1->forward(x.flatten(/*start_dim=*/1)).relu_();
    x = m_fc2->forward(x).relu_();
    return m_fc3->forward(x);
}

} // namespace accrue
