// SPDX-License-Identifier: Apache-2.0
#include "engine/training/guard.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

namespace accrue {

Guard::Guard(const torch::nn::Module& module, at::Device device, NotFinite mode)
    : m_mode(mode)
    , m_buffers(module.buffers())
    , m_refused(at::zeros({}, at::TensorOptions().dtype(at::kFloat).device(device)))
    , m_latched(at::zeros({}, at::TensorOptions().dtype(at::kBool).device(device)))
{
    for (const at::Tensor& buffer : m_buffers) {
        m_remembered.push_back(buffer.detach().clone());
        ownMemory(m_remembered.back(), MemoryCategory::Buffers, "guard");
    }
}

void Guard::beginWindow()
{
    m_open = true;
    const torch::NoGradGuard noGrad;
    for (std::size_t index = 0; index < m_buffers.size(); ++index)
        m_remembered[index].copy_(m_buffers[index]);
}

const at::Tensor& Guard::judge(WindowMetrics& metrics)
{
    const torch::NoGradGuard noGrad;
    const at::Tensor bad = at::isfinite(metrics.lossSum() + metrics.gradientNorm()).logical_not_();
    if (m_mode == NotFinite::End)
        m_latched.logical_or_(bad);
    else
        m_latched.copy_(bad);
    m_refused.copy_(m_latched);
    metrics.refused().copy_(m_latched);
    for (std::size_t index = 0; index < m_buffers.size(); ++index)
        m_buffers[index].copy_(at::where(m_latched, m_remembered[index], m_buffers[index]));
    m_open = false;
    return m_refused;
}

void Guard::giveUpWindow()
{
    if (!m_open)
        return;
    m_open = false;
    const torch::NoGradGuard noGrad;
    for (std::size_t index = 0; index < m_buffers.size(); ++index)
        m_buffers[index].copy_(m_remembered[index]);
}

} // namespace accrue
