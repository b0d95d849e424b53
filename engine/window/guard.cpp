// SPDX-License-Identifier: Apache-2.0
#include "engine/window/guard.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

namespace accrue {

Guard::Guard(const torch::nn::Module& module, at::Device device, NotFinite mode, World& world)
    : m_mode(mode)
    , m_world(world)
    , m_refused(at::zeros({}, at::TensorOptions().dtype(at::kFloat).device(device)))
    , m_latched(at::zeros({}, at::TensorOptions().dtype(at::kBool).device(device)))
{
    for (const at::Tensor& buffer : module.buffers()) {
        m_buffers.push_back({ buffer, buffer.detach().clone() });
        ownMemory(m_buffers.back().remembered, MemoryCategory::Buffers, "guard");
    }
}

void Guard::beginWindow()
{
    m_open = true;
    const torch::NoGradGuard noGrad;
    for (const Buffer& buffer : m_buffers)
        buffer.remembered.copy_(buffer.live);
}

// Loss and norm are added, because the sum is finite only if both are, and one operator is enough.
// The buffers are selected by at::where instead of a branch, since only the device knows the
// verdict.
const at::Tensor& Guard::judge(WindowMetrics& metrics)
{
    const torch::NoGradGuard noGrad;
    const at::Tensor bad = at::isfinite(metrics.lossSum() + metrics.gradientNorm()).logical_not_();
    m_world.any(bad);
    if (m_mode == NotFinite::End)
        m_latched.logical_or_(bad);
    else
        m_latched.copy_(bad);
    m_refused.copy_(m_latched);
    metrics.refused().copy_(m_latched);
    for (const Buffer& buffer : m_buffers)
        buffer.live.copy_(at::where(m_latched, buffer.remembered, buffer.live));
    m_open = false;
    return m_refused;
}

// The verdict of a window is of no interest here: it was never judged, so the latch stays as it is.
void Guard::abandonWindow()
{
    if (!m_open)
        return;
    m_open = false;
    const torch::NoGradGuard noGrad;
    for (const Buffer& buffer : m_buffers)
        buffer.live.copy_(buffer.remembered);
}

} // namespace accrue
