// SPDX-License-Identifier: Apache-2.0
#include "engine/training/training_clock.h"

namespace accrue {

void TrainingClock::start(double seconds)
{
    m_started = true;
    m_begin = Clock::now()
        - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double TrainingClock::seconds() const
{
    if (!m_started)
        return 0;
    const Clock::time_point now = m_paused ? m_pausedAt : Clock::now();
    return std::chrono::duration<double>(now - m_begin - m_pauses).count();
}

void TrainingClock::pause()
{
    m_pausedAt = Clock::now();
    m_paused = true;
}

void TrainingClock::resume()
{
    m_pauses += Clock::now() - m_pausedAt;
    m_paused = false;
}

} // namespace accrue
