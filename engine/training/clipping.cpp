// SPDX-License-Identifier: Apache-2.0
#include "engine/training/clipping.h"

#include <torch/utils.h>

namespace accrue {
namespace {

constexpr double kAgainstZero = 1e-6; // torch's

} // namespace

Clipping::Clipping(const OptimizerSettings& settings, const at::Tensor& gradient)
    : m_clipNorm(settings.clipNorm)
    , m_clipValue(settings.clipValue)
{
    if (m_clipNorm > 0)
        m_factor = at::ones({}, gradient.options().requires_grad(false));
}

void Clipping::apply(const at::Tensor& gradient, const at::Tensor& norm)
{
    const torch::NoGradGuard noGrad;
    if (m_clipNorm > 0) {
        m_factor.copy_(norm).add_(kAgainstZero).reciprocal_().mul_(m_clipNorm).clamp_max_(1);
        gradient.mul_(m_factor);
    }
    if (m_clipValue > 0)
        gradient.clamp_(-m_clipValue, m_clipValue);
}

} // namespace accrue
