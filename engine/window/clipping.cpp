// SPDX-License-Identifier: Apache-2.0
#include "engine/window/clipping.h"

#include <torch/utils.h>

namespace accrue {
namespace {

// Avoids a division by zero, as in torch.nn.utils.clip_grad_norm_.
constexpr double kAgainstZero = 1e-6;

// Values per row. Float32 sums of so few values are accurate to 1e-7.
constexpr std::int64_t kRow = 4096;

} // namespace

at::Tensor gradientNorm(const at::Tensor& gradient)
{
    const std::int64_t rows = gradient.numel() / kRow;
    if (rows < 2 || !gradient.is_cpu())
        return at::linalg_vector_norm(gradient);
    const std::int64_t whole = rows * kRow;
    const at::Tensor ofRows =
        at::linalg_vector_norm(gradient.narrow(/*dim=*/0, /*start=*/0, whole).view({ rows, kRow }),
            /*ord=*/2, at::IntArrayRef { 1 });
    const at::Tensor rest = gradient.narrow(/*dim=*/0, whole, gradient.numel() - whole);
    return at::linalg_vector_norm(at::cat({ ofRows, rest }));
}

Clipping::Clipping(const OptimizerSettings& settings, const at::Tensor& gradient)
    : m_clipNorm(settings.clipNorm)
    , m_clipValue(settings.clipValue)
{
    if (m_clipNorm > 0)
        m_factor = at::ones({}, gradient.options().requires_grad(false));
}

// In place and without reading the norm back: the host must not wait for the device here.
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
