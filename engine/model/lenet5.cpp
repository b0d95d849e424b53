// SPDX-License-Identifier: Apache-2.0
#include <torch/nn/functional/pooling.h>

#include "engine/experiment/models.h"
#include "engine/model/layer.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

namespace accrue {
namespace {

constexpr std::int64_t kSmallestSide = 12; // leaves 1 × 1 after the second pooling

// The length of a side after the second convolution.
std::int64_t second(std::int64_t side)
{
    return side / 2 - 4;
}

// Refuses pictures that are too small here, because the layers are made from this number before
// the constructor's body runs.
std::int64_t features(const PictureShape& shape)
{
    requireSide("lenet5", shape, kSmallestSide);
    return 16 * (second(shape.height) / 2) * (second(shape.width) / 2);
}

// conv1 c→6 k5 p2, [norm1], ReLU, max-pool 2; conv2 6→16 k5, [norm2], ReLU, max-pool 2; fc1 400→120
// ReLU; fc2 120→84 ReLU; fc3 84→classes. 400 is for 28 × 28; other sizes give 16·⌊(⌊h/2⌋ −
// 4)/2⌋·⌊(⌊w/2⌋ − 4)/2⌋. Throws Error for pictures below 12 × 12.
class LeNet5 : public Network {
public:
    LeNet5(const ModelSettings& settings, const PictureShape& shape)
        : m_conv1(torch::nn::Conv2dOptions(shape.channels, 6, /*kernel_size=*/5).padding(2))
        , m_conv2(torch::nn::Conv2dOptions(6, 16, /*kernel_size=*/5))
        , m_fc1(features(shape), 120)
        , m_fc2(120, 84)
        , m_fc3(84, shape.classes)
    {
        register_module("conv1", m_conv1);
        m_norm1 = addNorm(*this, "norm1", { 6, shape.height * shape.width }, settings);
        register_module("conv2", m_conv2);
        m_norm2 =
            addNorm(*this, "norm2", { 16, second(shape.height) * second(shape.width) }, settings);
        register_module("fc1", m_fc1);
        register_module("fc2", m_fc2);
        register_module("fc3", m_fc3);
    }

    at::Tensor forward(const at::Tensor& images) override
    {
        at::Tensor x =
            at::max_pool2d(normalizedRelu(m_norm1, m_conv1->forward(images)), /*kernel_size=*/2);
        x = at::max_pool2d(normalizedRelu(m_norm2, m_conv2->forward(x)), /*kernel_size=*/2);
        x = m_fc1->forward(x.flatten(/*start_dim=*/1)).relu_();
        x = m_fc2->forward(x).relu_();
        return m_fc3->forward(x);
    }

private:
    Conv2d m_conv1, m_conv2;
    NormLayer m_norm1, m_norm2;
    Linear m_fc1, m_fc2, m_fc3;
};

} // namespace

std::shared_ptr<Network> makeLeNet5(const ModelSettings& settings, const PictureShape& shape)
{
    return std::make_shared<LeNet5>(settings, shape);
}

} // namespace accrue
