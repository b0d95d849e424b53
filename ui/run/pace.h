// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace accrue {

// Keeps work that is done again and again within a share of the time: after it took d it is not due
// before share · d, nor later than `longest`. Not thread-safe.
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
