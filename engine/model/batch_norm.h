// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/channel_moments.h"
#include "engine/model/named_tensors.h"
#include "engine/model/rank_statistics.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <torch/nn/module.h>

namespace accrue {

// torch's BatchNorm by names and numbers (weight, bias, running_mean, running_var,
// num_batches_tracked; eps 1e-5), for vectors [b, channels] and pictures [b, channels, h, w]. A
// pass in train mode always normalises by its own micro-batch. Only the update of the running
// statistics, by which eval mode normalises, is a choice, because a window has N such passes:
//
//
//  plain      r ← (1 − m)·r + m·batch, N times per window, so a window weighs 1 − (1 − m)^N
//  corrected  the same with 1 − (1 − m)^(1/N), so a window weighs m, whatever N is
//  window     once, at the window's end: r ← (1 − m)·r + m·pooled, with mean and unbiased
//             variance of all inputs of the layer in the window; num_batches_tracked then
//             counts windows
//
// With several ranks (shareAmong) each normalises by its own micro-batch, and `window` pools what
// all of them computed; with model.batchnorm_sync all normalise by the micro-batches that they
// compute side by side, and have the same running statistics.
//
// Outside of a window each pass updates them as torch does. One thread; buffers change in place.
class BatchNormImpl : public torch::nn::Module {
public:
    BatchNormImpl(std::int64_t channels, const ModelSettings& settings);

    // In train mode `input` must contain two or more values per channel; throws Error.
    at::Tensor forward(const at::Tensor& input);

    std::int64_t channels() const;
    // Null: there is one rank.
    void shareAmong(std::shared_ptr<RankStatistics> ranks) { m_ranks = std::move(ranks); }

    // See Network, which calls these for all its layers.
    void beginWindow(std::int64_t microBatches);
    void endWindow();
    void appendWindowState(const std::string& prefix, NamedTensors& state) const;
    void restoreWindowState(const std::string& prefix, const NamedTensors& state);
    void beginStatistics();
    void endStatistics();
    void abandonStatistics() { m_inStatistics = false; }

private:
    at::Tensor normalized(const at::Tensor& input, const at::Tensor& mean,
        const at::Tensor& variance, double momentum) const;
    at::Tensor synced(const at::Tensor& input);
    void follow(const ChannelFigures& all, double momentum);
    ChannelMoments* collecting(); // null: running statistics are updated pass by pass
    void allocate(std::unique_ptr<ChannelMoments>& moments);

    const BatchNormMomentum m_asked;
    const bool m_pools; // over the whole window
    const bool m_syncs; // over all ranks
    std::shared_ptr<RankStatistics> m_ranks;
    at::Tensor m_weight, m_bias; // [channels]
    at::Tensor m_runningMean, m_runningVariance; // [channels]
    at::Tensor m_updates; // int64 scalar
    double m_momentum; // of a pass
    bool m_inWindow = false;
    bool m_inStatistics = false;
    std::unique_ptr<ChannelMoments> m_window;
    std::unique_ptr<ChannelMoments> m_statistics;
    at::Tensor m_batchMean,
        m_batchVariance; // [channels], of the current pass, if moments are accumulated
};
TORCH_MODULE(BatchNorm);

} // namespace accrue
