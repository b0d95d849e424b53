// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/layer.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

#include <vector>

namespace accrue {

// flatten; for each of model.widths w_i: fc<i> →w_i, [norm<i>], ReLU; then fc<last> →classes.
class MlpImpl : public Network {
public:
    MlpImpl(const ModelSettings& settings, const PictureShape& shape);
    at::Tensor forward(const at::Tensor& images) override;

private:
    struct Hidden {
        Linear linear;
        NormLayer norm;
    };
    std::vector<Hidden> m_hidden;
    Linear m_last { nullptr };
};
TORCH_MODULE(Mlp);

} // namespace accrue
