// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_reports.h"

#include <array>
#include <utility>

namespace accrue {
namespace {

constexpr std::chrono::milliseconds kBetweenEvents { 100 };

// In the order of RankReport::figures.
constexpr std::array<const char*, RankReport::kFigures> kMetrics { "rank_step_ms", "rank_data_ms",
    "rank_forward_ms", "rank_backward_ms", "rank_optimizer_ms", "wait_ms", "communication_ms",
    "communication_bytes", "rank_peak_bytes", "rank_samples" };

} // namespace

void RankReports::add(const StepDone& step, std::int64_t samples)
{
    if (m_world.size() == 1)
        return;
    const Traffic now = m_world.traffic();
    m_next = { step.step,
        { step.stepMs, step.dataMs, step.forwardMs, step.backwardMs, step.optimizerMs,
            1000 * (now.waitSeconds - m_before.waitSeconds),
            1000 * (now.seconds - m_before.seconds),
            static_cast<double>(now.bytes - m_before.bytes), static_cast<double>(step.peakBytes),
            static_cast<double>(samples) } };
    m_before = now;
    m_place = step;
}

RankReport RankReports::take()
{
    return std::exchange(m_next, {});
}

RanksMeasured RankReports::collect(const std::vector<RankReport>& reports)
{
    if (reports.empty())
        return {};
    m_sums.resize(reports.size());
    for (std::size_t rank = 0; rank < reports.size(); ++rank)
        for (std::size_t i = 0; i < kMetrics.size(); ++i)
            m_sums[rank].figures[i] += reports[rank].figures[i];
    ++m_windows;
    const auto now = std::chrono::steady_clock::now();
    if (now < m_due)
        return {};
    m_due = now + kBetweenEvents;
    RanksMeasured event { .step = m_place.step,
        .epoch = m_place.epoch,
        .samples = m_place.samples,
        .microBatches = m_place.microBatches,
        .seconds = m_place.seconds };
    const auto windows = static_cast<double>(std::exchange(m_windows, 0));
    for (std::size_t rank = 0; rank < m_sums.size(); ++rank)
        for (std::size_t i = 0; i < kMetrics.size(); ++i)
            event.values.push_back({ kMetrics[i], m_sums[rank].figures[i] / windows,
                static_cast<std::int64_t>(rank) });
    m_sums.clear();
    return event;
}

} // namespace accrue
