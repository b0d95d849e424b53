// SPDX-License-Identifier: Apache-2.0
#include "engine/model/batch_norm.h"

#include <cmath>
#include <tuple>

#include <ATen/ATen.h>
#include <torch/utils.h>

#include "engine/base/error.h"
#include "engine/model/synced_batch_norm.h"

namespace accrue {
namespace {

constexpr double kEps = 1e-5;
constexpr const char* kValues = "window_values";
constexpr const char* kMean = "window_mean";
constexpr const char* kDeviations = "window_squared_deviations";

const at::Tensor& required(
    const NamedTensors& state, const std::string& name, const at::Tensor& like)
{
    for (const auto& [key, tensor] : state)
        if (key == name && tensor.sizes() != like.sizes())
            throw Error(Message("model.window_shape", { { "tensor", name } }));
        else if (key == name)
            return tensor;
    throw Error(Message("model.window_lacks", { { "tensor", name } }));
}

} // namespace

BatchNormImpl::BatchNormImpl(std::int64_t channels, const ModelSettings& settings)
    : m_asked(settings.batchnormMomentum)
    , m_pools(settings.batchnormWindow)
    , m_syncs(settings.batchnormSync)
    , m_weight(register_parameter("weight", at::ones({ channels })))
    , m_bias(register_parameter("bias", at::zeros({ channels })))
    , m_runningMean(register_buffer("running_mean", at::zeros({ channels })))
    , m_runningVariance(register_buffer("running_var", at::ones({ channels })))
    , m_updates(register_buffer("num_batches_tracked", at::zeros({}, at::kLong)))
    , m_momentum(m_asked.value)
{
}

at::Tensor BatchNormImpl::forward(const at::Tensor& input)
{
    if (!is_training())
        return normalized(input, m_runningMean, m_runningVariance, m_momentum);
    if (m_syncs && m_ranks && !m_inStatistics)
        return synced(input);
    const std::int64_t values = input.numel() / m_weight.numel();
    // One value has no variance.
    if (values < 2)
        throw Error(Message("model.batchnorm_one_value"));
    ChannelMoments* const moments = collecting();
    if (moments == nullptr) {
        m_updates.add_(1);
        return normalized(input, m_runningMean, m_runningVariance, m_momentum);
    }
    // With momentum 1 the "running" statistics are the batch's own: no second pass over the input.
    at::Tensor output = normalized(input, m_batchMean, m_batchVariance, /*momentum=*/1);
    const torch::NoGradGuard noGrad;
    moments->add(m_batchMean, m_batchVariance, values);
    return output;
}

std::int64_t BatchNormImpl::channels() const
{
    return m_weight.numel();
}

// A rank without samples takes part in the sums.
at::Tensor BatchNormImpl::synced(const at::Tensor& input)
{
    const torch::NoGradGuard noGrad;
    const std::int64_t values = input.numel() / m_weight.numel();
    at::Tensor mean = at::zeros_like(m_runningMean);
    at::Tensor deviations = at::zeros_like(m_runningMean);
    if (values > 0) {
        const at::Tensor byChannel =
            input.to(m_weight.scalar_type()).transpose(0, 1).reshape({ m_weight.numel(), values });
        std::tie(deviations, mean) =
            at::var_mean(byChannel, at::OptionalIntArrayRef({ 1 }), /*unbiased=*/false);
        deviations.mul_(values);
    }
    const ChannelFigures all = m_ranks->combined(values, mean, deviations);
    if (!m_inWindow || !m_pools)
        follow(all, m_momentum);
    else if (values > 0)
        m_window->addDeviations(mean, deviations, values);
    const torch::AutoGradMode withGradient(true);
    return syncedBatchNorm(input, m_weight, m_bias, all, kEps, *m_ranks);
}

// torch stores the unbiased variance, although it normalizes by the biased one.
void BatchNormImpl::follow(const ChannelFigures& all, double momentum)
{
    m_runningMean.mul_(1 - momentum).add_(all.mean, momentum);
    m_runningVariance.mul_(1 - momentum)
        .add_(all.squaredDeviations.div(all.values.sub(1)), momentum);
    m_updates.add_(1);
}

at::Tensor BatchNormImpl::normalized(const at::Tensor& input, const at::Tensor& mean,
    const at::Tensor& variance, double momentum) const
{
    return at::batch_norm(input, m_weight, m_bias, mean, variance, is_training(), momentum, kEps,
        at::globalContext().userEnabledCuDNN());
}

// Precise statistics come first: an evaluation may happen in the middle of a window, whose own
// moments must not change.
ChannelMoments* BatchNormImpl::collecting()
{
    if (m_inStatistics)
        return m_statistics.get();
    return m_inWindow && m_pools ? m_window.get() : nullptr;
}

void BatchNormImpl::allocate(std::unique_ptr<ChannelMoments>& moments)
{
    if (!moments) // not in the constructor: only now is the layer on its final device
        moments = std::make_unique<ChannelMoments>(m_weight.numel(), m_weight.device());
    moments->reset();
    if (!m_batchMean.defined()) {
        m_batchMean = at::zeros_like(m_runningMean);
        m_batchVariance = at::zeros_like(m_runningVariance);
    }
    // With momentum 1 torch multiplies the old value by 0, and NaN times 0 is NaN.
    m_batchMean.zero_();
    m_batchVariance.zero_();
}

void BatchNormImpl::beginWindow(std::int64_t microBatches)
{
    m_inWindow = true;
    m_momentum = m_asked.value;
    if (m_pools)
        allocate(m_window);
    else if (m_asked.corrected)
        // After all the micro-batches, the old value has the weight 1 − momentum, as after one
        // batch.
        m_momentum = 1 - std::pow(1 - m_asked.value, 1 / static_cast<double>(microBatches));
}

// A window in which the layer had no pass changes nothing.
void BatchNormImpl::endWindow()
{
    // Every rank takes part, also one that had no pass.
    const bool pooled = m_inWindow && m_pools && (m_ranks || m_window->values() > 0);
    m_inWindow = false;
    m_momentum = m_asked.value;
    if (!pooled)
        return;
    const torch::NoGradGuard noGrad;
    if (m_ranks)
        return follow(
            m_ranks->combined(m_window->values(), m_window->mean(), m_window->squaredDeviations()),
            m_asked.value);
    // As in follow().
    const auto unbiased = static_cast<double>(m_window->values() - 1);
    m_runningMean.mul_(1 - m_asked.value).add_(m_window->mean(), m_asked.value);
    m_runningVariance.mul_(1 - m_asked.value)
        .add_(m_window->squaredDeviations(), m_asked.value / unbiased);
    m_updates.add_(1);
}

void BatchNormImpl::appendWindowState(const std::string& prefix, NamedTensors& state) const
{
    if (!m_inWindow || !m_pools)
        return;
    state.emplace_back(prefix + kValues, at::scalar_tensor(m_window->values(), at::kLong));
    state.emplace_back(prefix + kMean, m_window->mean());
    state.emplace_back(prefix + kDeviations, m_window->squaredDeviations());
}

void BatchNormImpl::restoreWindowState(const std::string& prefix, const NamedTensors& state)
{
    if (!m_inWindow || !m_pools)
        return;
    const at::Tensor& values = required(state, prefix + kValues, m_updates);
    const at::Tensor& mean = required(state, prefix + kMean, m_runningMean);
    const at::Tensor& deviations = required(state, prefix + kDeviations, m_runningMean);
    m_window->restore(values.item<std::int64_t>(), mean, deviations);
}

void BatchNormImpl::beginStatistics()
{
    m_inStatistics = true;
    allocate(m_statistics);
}

void BatchNormImpl::endStatistics()
{
    const bool gathered = m_inStatistics && m_statistics->values() > 0;
    m_inStatistics = false;
    if (!gathered)
        return;
    const torch::NoGradGuard noGrad;
    const auto values = static_cast<double>(m_statistics->values());
    m_runningMean.copy_(m_statistics->mean());
    // In place: an allocation that failed here would leave some layers with new statistics and
    // others with old ones.
    m_runningVariance.copy_(m_statistics->squaredDeviations().div_(values));
}

} // namespace accrue
