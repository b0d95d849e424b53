// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_exchange.h"

#include <ATen/ATen.h>

namespace accrue {

at::Tensor RankExchange::partOf(const at::Tensor& tensor, std::int64_t rank, std::int64_t ranks)
{
    const std::int64_t part = tensor.numel() / ranks;
    return tensor.narrow(/*dim=*/0, rank * part, part);
}

} // namespace accrue
