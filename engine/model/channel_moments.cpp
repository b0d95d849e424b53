// SPDX-License-Identifier: Apache-2.0
#include "engine/model/channel_moments.h"

#include <ATen/ATen.h>

namespace accrue {

ChannelMoments::ChannelMoments(std::int64_t channels, at::Device device)
    : m_mean(at::zeros({ channels }, at::TensorOptions().dtype(at::kDouble).device(device)))
    , m_deviations(at::zeros_like(m_mean))
    , m_difference(at::empty_like(m_mean))
{
}

void ChannelMoments::reset()
{
    m_values = 0;
    m_mean.zero_();
    m_deviations.zero_();
}

void ChannelMoments::add(
    const at::Tensor& mean, const at::Tensor& unbiasedVariance, std::int64_t values)
{
    addDeviations(mean, unbiasedVariance, values, static_cast<double>(values) - 1);
}

void ChannelMoments::addDeviations(
    const at::Tensor& mean, const at::Tensor& squaredDeviations, std::int64_t values)
{
    addDeviations(mean, squaredDeviations, values, 1);
}

void ChannelMoments::addDeviations(
    const at::Tensor& mean, const at::Tensor& deviations, std::int64_t values, double ofEach)
{
    const auto before = static_cast<double>(m_values);
    const auto added = static_cast<double>(values);
    m_values += values;
    const double share = added / static_cast<double>(m_values);
    // The header's formula. Only n and m are numbers of the host, so nothing is read back.
    m_difference.copy_(mean).sub_(m_mean);
    m_mean.add_(m_difference, share);
    m_deviations.addcmul_(m_difference, m_difference, before * share);
    m_difference.copy_(deviations);
    m_deviations.add_(m_difference, ofEach);
}

void ChannelMoments::restore(
    std::int64_t values, const at::Tensor& mean, const at::Tensor& squaredDeviations)
{
    m_values = values;
    m_mean.copy_(mean);
    m_deviations.copy_(squaredDeviations);
}

} // namespace accrue
