// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/layer.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

namespace accrue {

// conv1 c→6 k5 p2, [norm1], ReLU, max-pool 2; conv2 6→16 k5, [norm2], ReLU, max-pool 2; fc1 400→120
// ReLU; fc2 120→84 ReLU; fc3 84→classes. 400 is for 28 × 28; other sizes give 16·⌊(⌊h/2⌋ −
// 4)/2⌋·⌊(⌊w/2⌋ − 4)/2⌋. Throws EngineError for pictures below 12 × 12.
class LeNet5Impl : public Network {
public:
    LeNet5Impl(const ModelSettings& settings, const PictureShape& shape);
    at::Tensor forward(const at::Tensor& images) override;

private:
    Conv2d m_conv1, m_conv2;
    NormLayer m_norm1, m_norm2;
    Linear m_fc1, m_fc2, m_fc3;
};
TORCH_MODULE(LeNet5);

} // namespace accrue
