// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace accrue {

// Limits repeated work to a share of the time: after work that took d, the next is due after share
// · d, and after `longest` at the latest. Not thread-safe.
class Pace {
public:
    using Clock = std::chrono::steady_clock;

    explicit Pace(int share, Clock::duration longest = std::chrono::seconds(5))
        : m_share(share)
        , m_longest(longest)
    {
    }

    bool isDue(Clock::time_point now) const { return now >= m_next; }
    void worked(Clock::time_point begun, Clock::time_point ended)
    {
        m_next = ended + std::min(m_share * (ended - begun), m_longest);
    }

private:
    int m_share;
    Clock::duration m_longest;
    Clock::time_point m_next {};
};

} // namespace accrue
