// SPDX-License-Identifier: Apache-2.0
#include "engine/session/rank_reports.h"

#include <string>
#include <utility>

#include "engine/events/metrics.h"

namespace accrue {
namespace {

constexpr std::chrono::milliseconds kBetweenEvents { 100 };

// The metric of each figure of a report.
struct Figure {
    const char* metric;
    double RankReport::*value;
};
constexpr Figure kFigures[] {
    { "rank_step_ms", &RankReport::stepMs },
    { "rank_data_ms", &RankReport::dataMs },
    { "rank_forward_ms", &RankReport::forwardMs },
    { "rank_backward_ms", &RankReport::backwardMs },
    { "rank_optimizer_ms", &RankReport::optimizerMs },
    { "wait_ms", &RankReport::waitMs },
    { "communication_ms", &RankReport::communicationMs },
    { "communication_bytes", &RankReport::communicationBytes },
    { "rank_peak_bytes", &RankReport::peakBytes },
    { "rank_samples", &RankReport::samples },
};

} // namespace

void RankReports::add(const StepDone& step)
{
    if (m_world.size() == 1)
        return;
    const Traffic now = m_world.traffic();
    m_next = { .step = step.step,
        .stepMs = step.stepMs,
        .dataMs = step.dataMs,
        .forwardMs = step.forwardMs,
        .backwardMs = step.backwardMs,
        .optimizerMs = step.optimizerMs,
        .waitMs = 1000 * (now.waitSeconds - m_before.waitSeconds),
        .communicationMs = 1000 * (now.seconds - m_before.seconds),
        .communicationBytes = static_cast<double>(now.bytes - m_before.bytes),
        .peakBytes = static_cast<double>(step.peakBytes),
        .samples = static_cast<double>(std::exchange(m_samples, 0)) };
    m_before = now;
    m_place = step;
}

RankReport RankReports::take()
{
    return std::exchange(m_next, {});
}

RanksMeasured RankReports::collect(const std::vector<RankReport>& reports)
{
    // A rank that repeats a window reports nothing meanwhile.
    if (reports.empty() || reports.front().step == 0)
        return {};
    m_sums.resize(reports.size());
    for (std::size_t rank = 0; rank < reports.size(); ++rank)
        for (const Figure& figure : kFigures)
            m_sums[rank].*figure.value += reports[rank].*figure.value;
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
        for (const Figure& figure : kFigures)
            event.values.push_back({ figure.metric, m_sums[rank].*figure.value / windows,
                static_cast<std::int64_t>(rank) });
    m_sums.clear();
    return event;
}

} // namespace accrue
