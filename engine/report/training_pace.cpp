// SPDX-License-Identifier: Apache-2.0
#include "engine/report/training_pace.h"

#include <algorithm>

namespace accrue {

namespace {
constexpr double kSpacing = 0.25; // seconds between two marks
constexpr double kSpan = 10.0; // seconds over which the pace is averaged
} // namespace

TrainingPace TrainingPace::ofWholeRun()
{
    TrainingPace pace;
    pace.m_marks.emplace_back();
    return pace;
}

void TrainingPace::add(double seconds, std::int64_t step, std::int64_t samples)
{
    // Resumed from an earlier checkpoint, or begun again.
    if (step < m_now.step)
        m_marks.clear();
    m_now = { seconds, step, samples };
    if (m_marks.empty() || seconds - m_marks.back().seconds >= kSpacing)
        m_marks.push_back(m_now);
    // Two marks remain, however long a step takes: otherwise a run whose steps take minutes would
    // never have a pace.
    while (m_marks.size() > 2 && seconds - m_marks[1].seconds > kSpan)
        m_marks.pop_front();
}

double TrainingPace::samplesPerSecond() const
{
    if (m_marks.empty() || m_now.seconds <= m_marks.front().seconds)
        return 0;
    return static_cast<double>(m_now.samples - m_marks.front().samples)
        / (m_now.seconds - m_marks.front().seconds);
}

std::optional<double> TrainingPace::secondsLeft(std::int64_t totalSteps) const
{
    if (m_marks.empty() || m_now.step <= m_marks.front().step)
        return std::nullopt;
    const double each = (m_now.seconds - m_marks.front().seconds)
        / static_cast<double>(m_now.step - m_marks.front().step);
    return each * static_cast<double>(std::max<std::int64_t>(0, totalSteps - m_now.step));
}

} // namespace accrue
