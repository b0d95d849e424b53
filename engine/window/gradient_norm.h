// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace accrue {

// ‖gradient‖₂ of a flat tensor, a scalar of its type on its device. On the CPU it is the norm of
// the norms of short rows: torch's own norm, one running sum per SIMD lane over eleven million
// values, is off by 4e-4 in float32, and by another amount on a processor with other lanes.
// Allocates one value per row.
at::Tensor gradientNorm(const at::Tensor& gradient);

} // namespace accrue
