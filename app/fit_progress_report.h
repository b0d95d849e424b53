// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/console.h"
#include "engine/door/memory_fit.h"

#include <chrono>
#include <optional>
#include <string>

namespace accrue {

// "measuring memory: window 3 of about 12, 0:12, about 0:30 left, micro-batch of 64 samples": what
// a narrow terminal cuts stands last; after so many seconds, of which `measuring` went to windows.
std::string fitProgressLine(const FitProgress& now, double seconds, double measuring);

// Shows how far a fit is: on a terminal as the live line, redrawn with each window; otherwise as a
// line on err for each size and each part of the work, and at least every ten seconds for one that
// comes with a window. `console` is borrowed. One thread.
class FitProgressReport {
public:
    explicit FitProgressReport(Console& console)
        : m_console(console)
    {
    }

    void show(const FitProgress& now);

private:
    using Clock = std::chrono::steady_clock;
    bool isNews(const FitProgress& now) const;

    Console& m_console;
    const Clock::time_point m_begin = Clock::now();
    Clock::time_point m_shownAt {};
    std::optional<Clock::time_point> m_firstAt; // the first window began
    std::optional<FitProgress> m_shown;
};

} // namespace accrue
