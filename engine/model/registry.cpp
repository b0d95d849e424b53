// SPDX-License-Identifier: Apache-2.0
#include "engine/model/registry.h"

#include <array>
#include <string_view>

#include <torch/utils.h>

#include "engine/experiment/models.h"
#include "engine/model/layer.h"

namespace accrue {

using ModelMaker = std::shared_ptr<Network>(const ModelSettings&, const PictureShape&);

// Each network is in a file of its own, whose class no other file needs.
ModelMaker makeLeNet5;
ModelMaker makeMlp;
ModelMaker makeResNet;
ModelMaker makeVgg;

namespace {

// In the order of ModelName, like modelTable.
constexpr std::array kModels { makeLeNet5, makeMlp, makeResNet, makeResNet, makeVgg };

// Gives all layers that mark their passes the names that their parameters have. Not done by the
// layers themselves: a torch module does not know under which name it was registered.
void nameLayers(const Network& network)
{
    for (const auto& module : network.named_modules({}, /*include_self=*/false))
        if (auto* const layer = dynamic_cast<LayerPlace*>(module.value().get()))
            layer->setLayerName(module.key());
}

// Weights of convolutions and linear layers from N(0, sigma), their biases 0. Norm layers retain
// weight 1 and bias 0. Draws from the global random state.
void initializeNormal(Network& network, double sigma)
{
    const torch::NoGradGuard noGrad;
    for (auto& named : network.named_parameters()) {
        at::Tensor& parameter = named.value();
        if (parameter.dim() >= 2)
            parameter.normal_(/*mean=*/0, sigma);
        else if (std::string_view(named.key()).ends_with("bias"))
            parameter.zero_();
    }
}

} // namespace

std::shared_ptr<Network> makeModel(
    const ModelSettings& settings, const PictureShape& shape, std::uint64_t seed)
{
    torch::manual_seed(seed);
    const std::shared_ptr<Network> network =
        kModels.at(static_cast<std::size_t>(settings.name))(settings, shape);
    nameLayers(*network);
    if (settings.init == Initialisation::Normal)
        initializeNormal(*network, settings.initSigma);
    return network;
}

} // namespace accrue
