// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "engine/experiment/models.h"
#include "engine/model/layer.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

namespace accrue {
namespace {

// flatten; for each of model.widths w_i: fc<i> →w_i, [norm<i>], ReLU; then fc<last> →classes.
class Mlp : public Network {
public:
    Mlp(const ModelSettings& settings, const PictureShape& shape)
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

    at::Tensor forward(const at::Tensor& images) override
    {
        at::Tensor x = images.flatten(/*start_dim=*/1);
        for (Hidden& layer : m_hidden)
            x = normalizedRelu(layer.norm, layer.linear->forward(x));
        return m_last->forward(x);
    }

private:
    struct Hidden {
        Linear linear;
        NormLayer norm;
    };

    std::vector<Hidden> m_hidden;
    Linear m_last { nullptr };
};

} // namespace

std::shared_ptr<Network> makeMlp(const ModelSettings& settings, const PictureShape& shape)
{
    return std::make_shared<Mlp>(settings, shape);
}

} // namespace accrue
