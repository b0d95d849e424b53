// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_reports.h"

#include <algorithm>
#include <array>
#include <utility>

namespace accrue {
namespace {

constexpr std::chrono::milliseconds kBetweenEvents { 100 };

// In the order of RankReport::figures.
constexpr std::array<const char*, RankReport::kFigures> kMetrics { "rank_step_ms", "rank_data_ms",
    "rank_forward_ms", "rank_backward_ms", "rank_optimizer_ms", "wait_ms", "communication_ms",
    "communication_bytes", "rank_peak_bytes", "rank_samples" };
constexpr std::size_t kWait = 5;
constexpr std::size_t kCommunication = 6;

// The ranks leave an exchange together, and who comes last spends least in it. What the others
// spend beyond that they wait for this rank, be it in an agreement or in a sum.
std::vector<RankReport> withWaits(std::vector<RankReport> reports)
{
    double least = reports.front().figures[kCommunication];
    for (const RankReport& report : reports)
        least = std::min(least, report.figures[kCommunication]);
    for (RankReport& report : reports) {
        report.figures[kWait] += report.figures[kCommunication] - least;
        report.figures[kCommunication] = least;
    }
    return reports;
}

} // namespace

void RankReports::add(const StepDone& step, std::int64_t samples)
{
    if (m_world.size() == 1)
        return;
    const Traffic now = m_world.traffic();
    const std::array<double, RankReport::kFigures> figures { step.stepMs, step.dataMs,
        step.forwardMs, step.backwardMs, step.optimizerMs,
        1000 * (now.waitSeconds - m_before.waitSeconds), 1000 * (now.seconds - m_before.seconds),
        static_cast<double>(now.bytes - m_before.bytes), static_cast<double>(step.peakBytes),
        static_cast<double>(samples) };
    for (std::size_t i = 0; i < figures.size(); ++i)
        m_next.figures[i] += figures[i];
    m_next.step = step.step;
    ++m_unsent;
    m_before = now;
    m_place = step;
}

RankReport RankReports::take()
{
    const auto windows = static_cast<double>(std::max<std::int64_t>(m_unsent, 1));
    for (double& figure : m_next.figures)
        figure /= windows;
    m_unsent = 0;
    return std::exchange(m_next, {});
}

RanksMeasured RankReports::collect(const std::vector<RankReport>& reports)
{
    if (reports.empty())
        return {};
    m_sums.resize(reports.size());
    const std::vector<RankReport> seen = withWaits(reports);
    for (std::size_t rank = 0; rank < seen.size(); ++rank)
        for (std::size_t i = 0; i < kMetrics.size(); ++i)
            m_sums[rank].figures[i] += seen[rank].figures[i];
    ++m_windows;
    const auto now = std::chrono::steady_clock::now();
    if (now < m_due)
        return {};
    m_due = now + kBetweenEvents;
    return rest();
}

RanksMeasured RankReports::rest()
{
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
