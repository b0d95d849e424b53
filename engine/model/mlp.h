// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

#include <torch/nn/modules/linear.h>

namespace accrue {

// flatten; fc1 c·h·w→512 [norm1] ReLU; fc2 512→512 [norm2] ReLU; fc3 512→classes.
class MlpImpl : public Network {
public:
    MlpImpl(const ModelSettings& settings, const PictureShape& shape);
    at::Tensor forward(const at::Tensor& images) override;

private:
    torch::nn::Linear m_fc1, m_fc2, m_fc3;
    NormLayer m_norm1, m_norm2;
};
TORCH_MODULE(Mlp);

} // namespace accrue
