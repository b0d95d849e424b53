// SPDX-License-Identifier: Apache-2.0
#include "engine/model/mlp.h"

#include <string>

namespace accrue {

MlpImpl::MlpImpl(const ModelSettings& settings, const PictureShape& shape)
{
    std::int64_t features = shape.channels * shape.height * shape.width;
    std::string number = "1";
    for (const std::int64_t width : settings.widths) {
        const Linear linear = register_module("fc" + number, Linear(features, width));
        const NormShape vectors { .channels = width };
        m_hidden.push_back({ linear, addNorm(*this, "norm" + number, vectors, settings) });
        number = std::to_string(m_hidden.size() + 1);
        features = width;
    }
    m_last = register_module("fc" + number, Linear(features, shape.classes));
}

at::Tensor MlpImpl::forward(const at::Tensor& images)
{
    at::Tensor x = images.flatten(/*start_dim=*/1);
    for (Hidden& layer : m_hidden)
        x = normalizedRelu(layer.norm, layer.linear->forward(x));
    return m_last->forward(x);
}

} // namespace accrue
