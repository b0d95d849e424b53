// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/layer.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

#include <string>
#include <vector>

namespace accrue {

// Two convolutions beside a shortcut, where `stride` halves the picture:
//
//   relu([bn2](conv2(relu([bn1](conv1 x)))) + shortcut x)
//
// with the shortcut downsample.0 (1 × 1 convolution), [downsample.1] where the shape changes,
// otherwise x itself. No convolution has a bias.
class BasicBlockImpl : public torch::nn::Module {
public:
    BasicBlockImpl(
        const ModelSettings& settings, std::int64_t inputs, NormShape output, std::int64_t stride);
    at::Tensor forward(const at::Tensor& input);

private:
    Conv2d m_conv1, m_conv2, m_shortcut { nullptr };
    NormLayer m_norm1, m_norm2, m_shortcutNorm;
};
TORCH_MODULE(BasicBlock);

// torchvision's ResNet-18 (He et al. 2016, arXiv 1512.03385) by shape, names and initialisation:
// stem conv1, [bn1], ReLU; layer1 … layer4 of two basic blocks with 64, 128, 256, 512 channels, the
// last three at half the size of the one before; global average; fc 512→classes. With the imagenet
// stem conv1 is 7 × 7 with stride 2 and a max-pool 3 × 3 with stride 2 follows, with the cifar stem
// it is 3 × 3 with stride 1. Throws EngineError for pictures below 17 × 17 (imagenet) and 9 × 9
// (cifar).
class ResNet18Impl : public Network {
public:
    ResNet18Impl(const ModelSettings& settings, const PictureShape& shape);
    at::Tensor forward(const at::Tensor& images) override;

private:
    struct Maps;
    void addLayer(
        const std::string& name, Maps& maps, const ModelSettings& settings, std::int64_t stride);

    const bool m_pools;
    Conv2d m_conv1;
    NormLayer m_norm1;
    std::vector<BasicBlock> m_blocks;
    Linear m_fc;
};
TORCH_MODULE(ResNet18);

} // namespace accrue
