// SPDX-License-Identifier: Apache-2.0
#include "engine/model/network.h"

#include <ATen/autocast_mode.h>

#include "engine/door/engine_error.h"
#include "engine/door/layer_marks.h"
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

// Torch's autocast on this thread, as Python's torch.autocast: what it found is put back.
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

// What follows a pass is no layer's, also where it failed.
struct PassEnd {
    PassEnd() = default;
    ~PassEnd() { markLayer(nullptr); }
    PassEnd(const PassEnd&) = delete;
    PassEnd& operator=(const PassEnd&) = delete;
};

} // namespace

at::Tensor Network::logits(const at::Tensor& images)
{
    const PassEnd passEnd;
    const at::Tensor pictures = images.contiguous(m_format);
    if (!m_lowerType)
        return forward(pictures);
    const Autocast autocast(images.device().type(), *m_lowerType);
    return forward(pictures).to(images.scalar_type());
}

void Network::computeIn(std::optional<at::ScalarType> lowerType, at::MemoryFormat format)
{
    m_lowerType = lowerType;
    m_format = format;
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
