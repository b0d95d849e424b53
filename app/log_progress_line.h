// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/console.h"
#include "engine/runlog/log_progress.h"

#include <chrono>
#include <string>

namespace accrue {

// Shows how far work on a run log is once it has taken half a second: on a terminal as the live
// line, drawn anew, otherwise as one line. Gone from the terminal when this is. `console` is
// borrowed.
class LogProgressLine {
public:
    explicit LogProgressLine(Console& console)
        : m_console(console)
    {
    }
    ~LogProgressLine();
    LogProgressLine(const LogProgressLine&) = delete;
    LogProgressLine& operator=(const LogProgressLine&) = delete;

    // Borrows this.
    LogProgress progress();

private:
    using Clock = std::chrono::steady_clock;
    void show(double share, const std::string& what);

    Console& m_console;
    const Clock::time_point m_begin = Clock::now();
    Clock::time_point m_drawn {};
    bool m_shown = false;
};

} // namespace accrue
