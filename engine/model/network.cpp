// SPDX-License-Identifier: Apache-2.0
#include "engine/model/network.h"

#include "engine/door/engine_error.h"
#include "engine/model/batch_norm.h"

namespace accrue {
namespace {

// Calls `visit(name, layer)` for every BatchNorm of the network.
template <typename Visit> void forEachBatchNorm(const Network& network, Visit visit)
{
    for (const auto& module : network.named_modules({}, /*include_self=*/false))
        if (auto* layer = module.value()->as<BatchNormImpl>())
            visit(module.key() + ".", *layer);
}

} // namespace

void Network::beginWindow(std::int64_t microBatches)
{
    forEachBatchNorm(
        *this, [=](const auto&, BatchNormImpl& layer) { layer.beginWindow(microBatches); });
}

void Network::endWindow()
{
    forEachBatchNorm(*this, [](const auto&, BatchNormImpl& layer) { layer.endWindow(); });
}

NamedTensors Network::windowState() const
{
    NamedTensors state;
    forEachBatchNorm(*this, [&](const std::string& prefix, const BatchNormImpl& layer) {
        layer.appendWindowState(prefix, state);
    });
    return state;
}

void Network::restoreWindowState(const NamedTensors& state)
{
    forEachBatchNorm(*this, [&](const std::string& prefix, BatchNormImpl& layer) {
        layer.restoreWindowState(prefix, state);
    });
}

void Network::beginStatistics()
{
    forEachBatchNorm(*this, [](const auto&, BatchNormImpl& layer) { layer.beginStatistics(); });
}

void Network::endStatistics()
{
    forEachBatchNorm(*this, [](const auto&, BatchNormImpl& layer) { layer.endStatistics(); });
}

void Network::giveUpStatistics()
{
    forEachBatchNorm(*this, [](const auto&, BatchNormImpl& layer) { layer.giveUpStatistics(); });
}

void requireSide(const std::string& model, const PictureShape& shape, std::int64_t side)
{
    if (shape.height >= side && shape.width >= side)
        return;
    const std::string least = std::to_string(side);
    throw EngineError(model + " needs pictures of at least " + least + " × " + least
        + " pixels, this data set has " + std::to_string(shape.height) + " × "
        + std::to_string(shape.width) + "; choose another model.name, such as mlp.");
}

} // namespace accrue
