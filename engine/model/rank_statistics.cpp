// SPDX-License-Identifier: Apache-2.0
#include "engine/model/rank_statistics.h"

#include <utility>

#include <ATen/ATen.h>

namespace accrue {

RankStatistics::RankStatistics(
    int rank, int ranks, std::int64_t mostChannels, at::Device device, Sum sumOverRanks)
    : m_rank(rank)
    , m_most(mostChannels)
    , m_sum(std::move(sumOverRanks))
    , m_table(at::zeros(
          { ranks, 1 + 2 * mostChannels }, at::TensorOptions().dtype(at::kDouble).device(device)))
{
}

// Every rank fills its own row of zeros, so that the sum is the table of all figures.
ChannelFigures RankStatistics::combined(
    std::int64_t values, const at::Tensor& mean, const at::Tensor& squaredDeviations)
{
    const std::int64_t channels = mean.numel();
    m_table.zero_();
    const at::Tensor own = m_table.select(/*dim=*/0, m_rank);
    own.narrow(/*dim=*/0, /*start=*/0, 1).fill_(values);
    own.narrow(/*dim=*/0, 1, channels).copy_(mean);
    own.narrow(/*dim=*/0, 1 + m_most, channels).copy_(squaredDeviations);
    m_sum(m_table);
    const at::Tensor counts = m_table.narrow(/*dim=*/1, /*start=*/0, 1);
    const at::Tensor means = m_table.narrow(/*dim=*/1, 1, channels);
    const at::Tensor deviations = m_table.narrow(/*dim=*/1, 1 + m_most, channels);
    const at::Tensor all = counts.sum();
    const at::Tensor overall = (counts * means).sum(/*dim=*/0).div_(all);
    return { all, overall,
        deviations.sum(/*dim=*/0).add_((counts * (means - overall).square_()).sum(/*dim=*/0)) };
}

void RankStatistics::sum(at::Tensor& one, at::Tensor& other)
{
    const std::int64_t channels = one.numel();
    m_table.zero_();
    const at::Tensor sums = m_table.select(/*dim=*/0, /*index=*/0);
    sums.narrow(/*dim=*/0, 1, channels).copy_(one);
    sums.narrow(/*dim=*/0, 1 + m_most, channels).copy_(other);
    m_sum(m_table);
    one.copy_(sums.narrow(/*dim=*/0, 1, channels));
    other.copy_(sums.narrow(/*dim=*/0, 1 + m_most, channels));
}

} // namespace accrue
