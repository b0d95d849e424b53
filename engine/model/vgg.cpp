// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "engine/experiment/models.h"
#include "engine/model/layer.h"
#include "engine/model/network.h"
#include "engine/model/normalization.h"

namespace accrue {
namespace {

constexpr std::int64_t kWidths[] = { 64, 128, 256, 256 };
constexpr std::int64_t kSmallestSide = 16; // leaves 1 × 1 after the last pooling

// Four times: convs.<i> 3 × 3 p1 to 64, 128, 256, 256 channels, [norms.<i>], ReLU, max-pool 2; then
// global average; fc 256→classes. Throws Error for pictures below 16 × 16.
class Vgg : public Network {
public:
    Vgg(const ModelSettings& settings, const PictureShape& shape)
    {
        requireSide("vgg", shape, kSmallestSide);
        const auto convs = register_module("convs", std::make_shared<torch::nn::Module>());
        const auto norms = register_module("norms", std::make_shared<torch::nn::Module>());
        std::int64_t channels = shape.channels;
        std::int64_t height = shape.height;
        std::int64_t width = shape.width;
        for (const std::int64_t outputs : kWidths) {
            const std::string index = std::to_string(m_convs.size());
            const auto options =
                torch::nn::Conv2dOptions(channels, outputs, /*kernel_size=*/3).padding(1);
            m_convs.push_back(convs->register_module(index, Conv2d(options)));
            m_norms.push_back(addNorm(*norms, index, { outputs, height * width }, settings));
            channels = outputs;
            height /= 2;
            width /= 2;
        }
        m_fc = register_module("fc", Linear(channels, shape.classes));
    }

    at::Tensor forward(const at::Tensor& images) override
    {
        at::Tensor x = images;
        for (std::size_t i = 0; i < m_convs.size(); ++i)
            x = at::max_pool2d(
                normalizedRelu(m_norms[i], m_convs[i]->forward(x)), /*kernel_size=*/2);
        return m_fc->forward(
            at::adaptive_avg_pool2d(x, /*output_size=*/ { 1, 1 }).flatten(/*start_dim=*/1));
    }

private:
    std::vector<Conv2d> m_convs;
    std::vector<NormLayer> m_norms; // of m_convs
    Linear m_fc { nullptr };
};

} // namespace

std::shared_ptr<Network> makeVgg(const ModelSettings& settings, const PictureShape& shape)
{
    return std::make_shared<Vgg>(settings, shape);
}

} // namespace accrue
