// SPDX-License-Identifier: Apache-2.0
#include "engine/model/registry.h"

#include <torch/utils.h>

#include "engine/door/engine_error.h"
#include "engine/model/initialization.h"
#include "engine/model/layer.h"
#include "engine/model/lenet5.h"
#include "engine/model/mlp.h"
#include "engine/model/resnet18.h"
#include "engine/model/vgg.h"

namespace accrue {
namespace {

template <typename Impl>
std::shared_ptr<Network> make(const ModelSettings& settings, const PictureShape& shape)
{
    return std::make_shared<Impl>(settings, shape);
}

struct Entry {
    ModelName name;
    std::shared_ptr<Network> (*make)(const ModelSettings&, const PictureShape&);
};

constexpr Entry kModels[] = {
    { ModelName::LeNet5, &make<LeNet5Impl> },
    { ModelName::Mlp, &make<MlpImpl> },
    { ModelName::ResNet18, &make<ResNet18Impl> },
    { ModelName::Vgg, &make<VggImpl> },
};

} // namespace

std::shared_ptr<Network> makeModel(
    const ModelSettings& settings, const PictureShape& shape, std::uint64_t seed)
{
    torch::manual_seed(seed);
    for (const Entry& entry : kModels) {
        if (entry.name != settings.name)
            continue;
        const std::shared_ptr<Network> network = entry.make(settings, shape);
        nameLayers(*network);
        if (settings.init == Initialisation::Normal)
            initializeNormal(*network, settings.initSigma);
        return network;
    }
    throw EngineError("This engine does not know the model that model.name asks for.");
}

} // namespace accrue
