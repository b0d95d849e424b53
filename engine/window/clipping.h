// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <ATen/core/Tensor.h>

namespace accrue {

// ‖gradient‖₂ of a flat tensor, a scalar of its type on its device. On the CPU it is the norm of
// the norms of short rows: torch's own norm, one running sum per SIMD lane over eleven million
// values, is off by 4e-4 in float32, and by another amount on a processor with other lanes.
// Allocates one value per row.
at::Tensor gradientNorm(const at::Tensor& gradient);

// Limits a window's gradient g before the optimizer's step, in this order:
//
//   clip_norm:   g *= min(1, clip_norm / (|g| + 1e-6)),   |g| the L2 norm over all parameters
//   clip_value:  each element to −clip_value … clip_value
//
// as torch.nn.utils.clip_grad_norm_ and clip_grad_value_ do. 0 is off; with both off nothing is
// enqueued and nothing allocated. The host reads nothing back. One thread.
//
// A norm that is not finite needs no special case: it makes the gradient useless, and the guard,
// which judges the norm before clipping, refuses that window's update anyway.
class Clipping {
public:
    // `gradient`: of the type and on the device that apply() will see.
    Clipping(const OptimizerSettings& settings, const at::Tensor& gradient);

    // `gradient`: all gradients as one flat tensor, clipped in place. `norm`: its norm, a scalar on
    // the same device in any floating type; read with clip_norm only.
    void apply(const at::Tensor& gradient, const at::Tensor& norm);

private:
    const double m_clipNorm;
    const double m_clipValue;
    at::Tensor m_factor; // scalar in the gradient's type; undefined without clip_norm
};

} // namespace accrue
