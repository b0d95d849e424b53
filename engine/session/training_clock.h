// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

namespace accrue {

// The `seconds` of all events: time since `start`, evaluation and checkpoints included, pauses
// excluded. One thread.
class TrainingClock {
public:
    void start(double seconds = 0); // continues from there
    double seconds() const; // 0 before the start
    void pause() { m_pausedAt = Clock::now(); }
    void resume();

private:
    using Clock = std::chrono::steady_clock;

    std::optional<Clock::time_point> m_begin;
    std::optional<Clock::time_point> m_pausedAt; // set while it is paused
    Clock::duration m_pauses { 0 };
};

} // namespace accrue
