// SPDX-License-Identifier: Apache-2.0
#include "engine/window/gradient_norm.h"

#include <ATen/ATen.h>

namespace accrue {
namespace {

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

} // namespace accrue
