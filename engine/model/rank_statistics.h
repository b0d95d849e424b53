// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <ATen/core/Tensor.h>

namespace accrue {

// Figures of the inputs of one normalisation layer: how many values each channel has, their mean,
// and their sum of squared deviations from it. All float64.
struct ChannelFigures {
    at::Tensor values; // scalar
    at::Tensor mean; // [channels]
    at::Tensor squaredDeviations; // [channels]
};

// What BatchNorm needs of the other ranks of a run. All its calls to them are sums of one table.
// Nothing is read back to the host. One thread at a time.
class RankStatistics {
public:
    using Sum = std::function<void(const at::Tensor&)>; // in place, over all ranks

    // For layers of at most `mostChannels`.
    RankStatistics(
        int rank, int ranks, std::int64_t mostChannels, at::Device device, Sum sumOverRanks);

    // The figures of the values of all ranks, from those of this one (Chan, Golub and LeVeque
    // 1983); `values` may be 0.
    ChannelFigures combined(
        std::int64_t values, const at::Tensor& mean, const at::Tensor& squaredDeviations);
    // Replaces two tensors [channels], float64, by their sums.
    void sum(at::Tensor& one, at::Tensor& other);

private:
    const int m_rank;
    const std::int64_t m_most;
    const Sum m_sum;
    const at::Tensor m_table; // [ranks, 1 + 2 × most], float64
};

} // namespace accrue
