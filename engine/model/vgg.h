// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/layer.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

#include <vector>

namespace accrue {

// Four times: convs.<i> 3 × 3 p1 to 64, 128, 256, 256 channels, [norms.<i>], ReLU, max-pool 2; then
// global average; fc 256→classes. Throws EngineError for pictures below 16 × 16.
class VggImpl : public Network {
public:
    VggImpl(const ModelSettings& settings, const PictureShape& shape);
    at::Tensor forward(const at::Tensor& images) override;

private:
    std::vector<Conv2d> m_convs;
    std::vector<NormLayer> m_norms; // of m_convs
    Linear m_fc { nullptr };
};
TORCH_MODULE(Vgg);

} // namespace accrue
