// SPDX-License-Identifier: Apache-2.0
#include "engine/model/network.h"

#include <algorithm>

#include <ATen/autocast_mode.h>
#include <c10/util/ScopeExit.h>

#include "engine/base/error.h"
#include "engine/base/layer_marks.h"
#include "engine/model/batch_norm.h"
#include "engine/model/layer.h"

namespace accrue {
namespace {

// Calls `visit(name, layer)` for every BatchNorm of the network. They are found by their type, so
// that a model does not have to list them.
template <typename Visit> void forEachBatchNorm(const Network& network, Visit visit)
{
    for (const auto& module : network.named_modules({}, /*include_self=*/false))
        if (auto* layer = module.value()->as<BatchNormImpl>())
            visit(module.key() + ".", *layer);
}

// Calls `visit(layer, place)` for every layer with parameters of its own, in their order.
template <typename Visit> void forEachLayer(const Network& network, Visit visit)
{
    for (const auto& module : network.modules(/*include_self=*/false))
        if (auto* const place = dynamic_cast<LayerPlace*>(module.get()))
            if (!module->parameters(/*recurse=*/false).empty())
                visit(*module, *place);
}

// Torch's autocast on this thread, as Python's torch.autocast: restores the previous state.
class Autocast {
public:
    Autocast(at::DeviceType device, at::ScalarType type)
        : m_device(device)
        , m_enabled(at::autocast::is_autocast_enabled(device))
        , m_type(at::autocast::get_autocast_dtype(device))
    {
        at::autocast::set_autocast_enabled(device, true);
        at::autocast::set_autocast_dtype(device, type);
        at::autocast::increment_nesting();
    }
    ~Autocast()
    {
        // The cache holds converted weights, which the next update makes obsolete.
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(m_device, m_enabled);
        at::autocast::set_autocast_dtype(m_device, m_type);
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

private:
    const at::DeviceType m_device;
    const bool m_enabled;
    const at::ScalarType m_type;
};

} // namespace

at::Tensor Network::logits(const at::Tensor& images)
{
    // Whatever follows a pass belongs to no layer, even if the pass failed.
    const auto passEnd = c10::make_scope_exit([] { markLayer(nullptr); });
    const at::Tensor pictures = images.contiguous(m_format);
    if (!m_lowerType)
        return forward(pictures);
    const Autocast autocast(images.device().type(), *m_lowerType);
    return forward(pictures).to(images.scalar_type());
}

std::int64_t Network::parameterCount() const
{
    std::int64_t count = 0;
    for (const at::Tensor& parameter : parameters())
        count += parameter.numel();
    return count;
}

std::vector<std::size_t> Network::layers() const
{
    std::vector<std::size_t> counts;
    forEachLayer(*this, [&](const torch::nn::Module& layer, const auto&) {
        counts.push_back(layer.parameters(/*recurse=*/false).size());
    });
    return counts;
}

void Network::setLayerParameters(LayerParameters* provider)
{
    std::size_t layer = 0;
    forEachLayer(*this,
        [&](const auto&, LayerPlace& place) { place.setLayerParameters(provider, layer++); });
}

void Network::computeIn(std::optional<at::ScalarType> lowerType, at::MemoryFormat format)
{
    m_lowerType = lowerType;
    m_format = format;
}

void Network::shareStatistics(
    int rank, int ranks, const std::function<void(const at::Tensor&)>& sumOverRanks)
{
    std::int64_t most = 0;
    forEachBatchNorm(*this,
        [&](const auto&, const BatchNormImpl& layer) { most = std::max(most, layer.channels()); });
    if (most == 0 || ranks == 1)
        return;
    const auto shared = std::make_shared<RankStatistics>(
        rank, ranks, most, parameters().front().device(), sumOverRanks);
    forEachBatchNorm(*this, [&](const auto&, BatchNormImpl& layer) { layer.shareAmong(shared); });
}

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

void Network::abandonStatistics()
{
    forEachBatchNorm(*this, [](const auto&, BatchNormImpl& layer) { layer.abandonStatistics(); });
}

void requireSide(const std::string& model, const PictureShape& shape, std::int64_t side)
{
    if (shape.height >= side && shape.width >= side)
        return;
    throw Error(Message("model.pictures_too_small",
        { { "model", model }, { "side", side }, { "height", shape.height },
            { "width", shape.width } }));
}

} // namespace accrue
