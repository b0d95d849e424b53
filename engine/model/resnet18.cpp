// SPDX-License-Identifier: Apache-2.0
#include "engine/model/resnet18.h"

#include <string>

#include "engine/model/initialization.h"

namespace accrue {
namespace {

constexpr int kLayers = 4;
constexpr std::int64_t kChannels = 64; // of layer1, doubled by each layer after it

// Smaller pictures have shrunk to one pixel before the last layer, or in it, and its convolutions
// see padding only.
std::int64_t smallestSide(Stem stem)
{
    return stem == Stem::ImageNet ? 17 : 9;
}

Conv2d convolution(
    std::int64_t inputs, std::int64_t outputs, std::int64_t size, std::int64_t stride)
{
    return Conv2d(torch::nn::Conv2dOptions(inputs, outputs, size)
                      .stride(stride)
                      .padding(size / 2)
                      .bias(false));
}

Conv2d stem(Stem kind, std::int64_t inputs)
{
    return kind == Stem::ImageNet ? convolution(inputs, kChannels, /*size=*/7, /*stride=*/2)
                                  : convolution(inputs, kChannels, /*size=*/3, /*stride=*/1);
}

} // namespace

// What one layer gives to the next.
struct ResNet18Impl::Maps {
    std::int64_t channels, height, width;

    void halve() // as a padded convolution or pooling with stride 2 does
    {
        height = (height + 1) / 2;
        width = (width + 1) / 2;
    }
    NormShape shape() const { return { channels, height * width }; }
};

BasicBlockImpl::BasicBlockImpl(
    const ModelSettings& settings, std::int64_t inputs, NormShape output, std::int64_t stride)
    : m_conv1(convolution(inputs, output.channels, /*size=*/3, stride))
    , m_conv2(convolution(output.channels, output.channels, /*size=*/3, /*stride=*/1))
{
    register_module("conv1", m_conv1);
    m_norm1 = addNorm(*this, "bn1", output, settings);
    register_module("conv2", m_conv2);
    m_norm2 = addNorm(*this, "bn2", output, settings);
    if (stride == 1 && inputs == output.channels)
        return;
    m_shortcut = convolution(inputs, output.channels, /*size=*/1, stride);
    const auto downsample = register_module("downsample", std::make_shared<torch::nn::Module>());
    downsample->register_module("0", m_shortcut);
    m_shortcutNorm = addNorm(*downsample, "1", output, settings);
}

at::Tensor BasicBlockImpl::forward(const at::Tensor& input)
{
    const at::Tensor x = normalizedRelu(m_norm1, m_conv1->forward(input));
    const at::Tensor shortcut =
        m_shortcut ? normalized(m_shortcutNorm, m_shortcut->forward(input)) : input;
    return normalized(m_norm2, m_conv2->forward(x)).add_(shortcut).relu_();
}

ResNet18Impl::ResNet18Impl(const ModelSettings& settings, const PictureShape& shape)
    : m_pools(settings.stem == Stem::ImageNet)
    , m_conv1(stem(settings.stem, shape.channels))
    , m_fc(kChannels << (kLayers - 1), shape.classes)
{
    requireSide("resnet18", shape, smallestSide(settings.stem));
    Maps maps { kChannels, shape.height, shape.width };
    if (m_pools)
        maps.halve();
    register_module("conv1", m_conv1);
    m_norm1 = addNorm(*this, "bn1", maps.shape(), settings);
    if (m_pools)
        maps.halve();
    addLayer("layer1", maps, settings, /*stride=*/1);
    for (int layer = 2; layer <= kLayers; ++layer)
        addLayer("layer" + std::to_string(layer), maps, settings, /*stride=*/2);
    register_module("fc", m_fc);
    initializeConvolutionsByFanOut(*this);
}

void ResNet18Impl::addLayer(
    const std::string& name, Maps& maps, const ModelSettings& settings, std::int64_t stride)
{
    const auto layer = register_module(name, std::make_shared<torch::nn::Module>());
    const std::int64_t inputs = maps.channels;
    if (stride > 1) {
        maps.channels *= 2;
        maps.halve();
    }
    m_blocks.push_back(
        layer->register_module("0", BasicBlock(settings, inputs, maps.shape(), stride)));
    m_blocks.push_back(layer->register_module(
        "1", BasicBlock(settings, maps.channels, maps.shape(), /*stride=*/1)));
}

at::Tensor ResNet18Impl::forward(const at::Tensor& images)
{
    at::Tensor x = normalizedRelu(m_norm1, m_conv1->forward(images));
    if (m_pools)
        x = at::max_pool2d(x, /*kernel_size=*/3, /*stride=*/2, /*padding=*/1);
    for (BasicBlock& block : m_blocks)
        x = block->forward(x);
    return m_fc->forward(
        at::adaptive_avg_pool2d(x, /*output_size=*/ { 1, 1 }).flatten(/*start_dim=*/1));
}

} // namespace accrue
