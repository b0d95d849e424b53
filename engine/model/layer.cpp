// SPDX-License-Identifier: Apache-2.0
#include "engine/model/layer.h"

namespace accrue {

void nameLayers(torch::nn::Module& network)
{
    for (const auto& module : network.named_modules({}, /*include_self=*/false))
        if (auto* const layer = dynamic_cast<LayerName*>(module.value().get()))
            layer->setLayerName(module.key());
}

} // namespace accrue
