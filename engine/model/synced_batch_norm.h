// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/rank_statistics.h"

#include <ATen/core/Tensor.h>

namespace accrue {

// (input − mean) / √(variance + eps) · weight + bias, where mean and variance are those of the
// inputs of all ranks, with the gradients that follow from it (Ioffe and Szegedy 2015, section 3,
// with m the values of all ranks). Those of weight and bias are this rank's part; that of the input
// needs two sums over all ranks, one call of ranks.sum() in the backward pass.
//
// `input`: [b, channels] or [b, channels, h, w]; b may be 0. `all`: ranks.combined() of it.
at::Tensor syncedBatchNorm(const at::Tensor& input, const at::Tensor& weight,
    const at::Tensor& bias, const ChannelFigures& all, double eps, RankStatistics& ranks);

} // namespace accrue
