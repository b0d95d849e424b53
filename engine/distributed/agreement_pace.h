// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace accrue {

// How many slices the ranks compute from one agreement to the next. Through the memory of one
// machine an agreement costs next to nothing, and they agree before every slice. Through a slow
// network it may take longer than a slice, so there they agree as often as a hundredth of the time
// allows, and every 0.2 s or before every slice at least. One thread.
class AgreementPace {
public:
    using Clock = std::chrono::steady_clock;

    // An agreement was made from `begin` to `end`. Agreements that are made while the ranks
    // compute no slices count, too.
    void agreed(Clock::time_point begin, Clock::time_point end);
    // A slice begins.
    void beginSlice() { ++m_slices; }
    // From an agreement that is made now to the next one; at least 1.
    std::int64_t slices() const { return m_next; }

private:
    std::int64_t affordable(std::chrono::duration<double> slice) const;

    std::chrono::duration<double> m_cheapest = std::chrono::duration<double>::max();
    std::chrono::duration<double> m_usual {}; // without the first ones, after a while
    Clock::time_point m_before {}; // the end of the last agreement
    std::int64_t m_agreements = 0;
    std::int64_t m_slices = 0; // since the last agreement
    std::int64_t m_next = 1;
};

} // namespace accrue
