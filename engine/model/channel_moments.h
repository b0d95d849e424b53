// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace accrue {

// Mean and variance of each channel over batches that arrive one after another, as if they were one
// batch. A batch of m values per channel, mean μ and sum of squared deviations D joins n values of
// mean μ₀ and D₀ by (Chan, Golub and LeVeque 1983)
//
//   mean = μ₀ + (μ − μ₀) · m / (n + m)
//   D = D₀ + D + (μ − μ₀)² · n · m / (n + m)
//
// Stored in float64, added to in place, without reading anything back from the device. One thread.
class ChannelMoments {
public:
    // Nothing added, for `channels` on a device.
    ChannelMoments(std::int64_t channels, at::Device device);

    void reset();
    // mean, variance: [channels] of a batch of `values` per channel (2 or more); the variance is
    // the unbiased one, D / (values − 1), as batch_norm computes it for its running statistics.
    void add(const at::Tensor& mean, const at::Tensor& unbiasedVariance, std::int64_t values);

    // The same, from the sum of squared deviations; `values` may be 1.
    void addDeviations(
        const at::Tensor& mean, const at::Tensor& squaredDeviations, std::int64_t values);

    std::int64_t values() const { return m_values; } // per channel
    const at::Tensor& mean() const { return m_mean; }
    const at::Tensor& squaredDeviations() const { return m_deviations; } // D
    // Continues from stored values; [channels] of any device and type.
    void restore(std::int64_t values, const at::Tensor& mean, const at::Tensor& squaredDeviations);

private:
    // `deviations` times `ofEach` are the squared ones.
    void addDeviations(
        const at::Tensor& mean, const at::Tensor& deviations, std::int64_t values, double ofEach);

    std::int64_t m_values = 0;
    at::Tensor m_mean; // [channels], float64
    at::Tensor m_deviations; // [channels], float64
    at::Tensor m_difference; // scratch
};

} // namespace accrue
