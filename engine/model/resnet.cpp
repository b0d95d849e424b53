// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <torch/nn/init.h>

#include "engine/experiment/models.h"
#include "engine/model/layer.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

namespace accrue {
namespace {

constexpr std::int64_t kChannels = 64; // of layer1, doubled by each stage after it

// Smaller pictures would shrink to one pixel before or in the last stage, whose convolutions would
// then see only padding.
std::int64_t smallestSide(Stem stem)
{
    return stem == Stem::ImageNet ? 17 : 9;
}

Conv2d convolution(
    std::int64_t inputs, std::int64_t outputs, std::int64_t size, std::int64_t stride)
{
    // At stride 1 this padding preserves the size of the picture, because `size` is odd.
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

// The initialisation of torchvision's residual networks: N(0, 2 / (outputs · k · k)). Draws from
// the global random state.
void initializeConvolutions(torch::nn::Module& network)
{
    for (const auto& layer : network.modules(/*include_self=*/false))
        if (auto* convolution = layer->as<torch::nn::Conv2d>())
            torch::nn::init::kaiming_normal_(
                convolution->weight, /*a=*/0, torch::kFanOut, torch::kReLU);
}

// The output of one stage, which is the input of the next.
struct Maps {
    std::int64_t channels, height, width;

    void halve() // as a padded convolution or pooling with stride 2 does
    {
        height = (height + 1) / 2;
        width = (width + 1) / 2;
    }
    NormShape shape() const { return { channels, height * width }; }
};

// Two convolutions beside a shortcut; `stride` halves the picture:
//
//   relu([bn2](conv2(relu([bn1](conv1 x)))) + shortcut x)
//
// with the shortcut downsample.0 (1 × 1 convolution), [downsample.1] if the shape changes,
// otherwise x itself. No convolution has a bias.
class BasicBlockImpl : public torch::nn::Module {
public:
    BasicBlockImpl(
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
        const auto downsample =
            register_module("downsample", std::make_shared<torch::nn::Module>());
        downsample->register_module("0", m_shortcut);
        m_shortcutNorm = addNorm(*downsample, "1", output, settings);
    }

    at::Tensor forward(const at::Tensor& input)
    {
        const at::Tensor x = normalizedRelu(m_norm1, m_conv1->forward(input));
        const at::Tensor shortcut =
            m_shortcut ? normalized(m_shortcutNorm, m_shortcut->forward(input)) : input;
        // In place, which saves the memory of two more results per block.
        return normalized(m_norm2, m_conv2->forward(x)).add_(shortcut).relu_();
    }

private:
    Conv2d m_conv1, m_conv2, m_shortcut { nullptr };
    NormLayer m_norm1, m_norm2, m_shortcutNorm;
};
TORCH_MODULE(BasicBlock);

// torchvision's residual networks of basic blocks (He et al. 2016, arXiv 1512.03385) by shape,
// names and initialisation: stem conv1, [bn1], ReLU; layer1 … layer4 of 64, 128, 256, 512 channels,
// each with the number of blocks in the network's row of experiment/models.cpp, the last three at
// half the size of the previous one; global average; fc 512→classes. With the imagenet stem conv1
// is 7 × 7 with stride 2, followed by a max-pool 3 × 3 with stride 2; with the cifar stem it is 3 ×
// 3 with stride 1. Throws Error for pictures below 17 × 17 (imagenet) and 9 × 9 (cifar).
class ResNet : public Network {
public:
    ResNet(const ModelSettings& settings, const PictureShape& shape)
        : m_pools(settings.stem == Stem::ImageNet)
        , m_conv1(stem(settings.stem, shape.channels))
        , m_fc(kChannels << (kResidualStages - 1), shape.classes)
    {
        const ModelInfo& info = modelInfo(settings.name);
        requireSide(info.word, shape, smallestSide(settings.stem));
        Maps maps { kChannels, shape.height, shape.width };
        if (m_pools)
            maps.halve();
        register_module("conv1", m_conv1);
        m_norm1 = addNorm(*this, "bn1", maps.shape(), settings);
        if (m_pools)
            maps.halve();
        for (int stage = 1; stage <= kResidualStages; ++stage) {
            const int blocks = info.blocks.at(static_cast<std::size_t>(stage - 1));
            addStage("layer" + std::to_string(stage), blocks, maps, settings, stage == 1 ? 1 : 2);
        }
        register_module("fc", m_fc);
        // After all layers have been registered, because it visits them.
        initializeConvolutions(*this);
    }

    at::Tensor forward(const at::Tensor& images) override
    {
        at::Tensor x = normalizedRelu(m_norm1, m_conv1->forward(images));
        if (m_pools)
            x = at::max_pool2d(x, /*kernel_size=*/3, /*stride=*/2, /*padding=*/1);
        for (BasicBlock& block : m_blocks)
            x = block->forward(x);
        return m_fc->forward(
            at::adaptive_avg_pool2d(x, /*output_size=*/ { 1, 1 }).flatten(/*start_dim=*/1));
    }

private:
    void addStage(const std::string& name, int blocks, Maps& maps, const ModelSettings& settings,
        std::int64_t stride)
    {
        const auto stage = register_module(name, std::make_shared<torch::nn::Module>());
        std::int64_t inputs = maps.channels;
        if (stride > 1) {
            maps.channels *= 2;
            maps.halve();
        }
        for (int block = 0; block < blocks; ++block) {
            m_blocks.push_back(stage->register_module(std::to_string(block),
                BasicBlock(settings, inputs, maps.shape(), block == 0 ? stride : 1)));
            inputs = maps.channels;
        }
    }

    const bool m_pools;
    Conv2d m_conv1;
    NormLayer m_norm1;
    std::vector<BasicBlock> m_blocks;
    Linear m_fc;
};

} // namespace

std::shared_ptr<Network> makeResNet(const ModelSettings& settings, const PictureShape& shape)
{
    return std::make_shared<ResNet>(settings, shape);
}

} // namespace accrue
