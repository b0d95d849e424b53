// SPDX-License-Identifier: Apache-2.0
#include "engine/session/training_clock.h"

namespace accrue {

// A resumed run continues the time of the attempts before it.
void TrainingClock::start(double seconds)
{
    m_begin = Clock::now()
        - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// A paused clock shows the time of the pause.
double TrainingClock::seconds() const
{
    if (!m_begin)
        return 0;
    const Clock::time_point now = m_pausedAt ? *m_pausedAt : Clock::now();
    return std::chrono::duration<double>(now - *m_begin - m_pauses).count();
}

void TrainingClock::resume()
{
    m_pauses += Clock::now() - *m_pausedAt;
    m_pausedAt.reset();
}

} // namespace accrue
