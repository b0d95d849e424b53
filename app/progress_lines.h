// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/console.h"
#include "engine/insight/memory_fit.h"
#include "engine/runs/log_progress.h"

#include <chrono>
#include <optional>
#include <string>

namespace accrue {

// Lines that show the progress of work that keeps a person waiting. On a terminal they are redrawn
// in place; elsewhere (a file, a batch system's output) a redrawn line would only fill the file, so
// a line is written when something changes.

// For work on a run log that has taken half a second. The destructor removes the line from the
// terminal. `console` is borrowed.
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

// "measuring memory: window 3 of about 12, 0:12, about 0:30 left, micro-batch of 64 samples": the
// least important comes last, where a narrow terminal cuts it off. `seconds` have passed, of which
// `measuring` were spent on windows.
std::string fitProgressLine(const FitProgress& now, double seconds, double measuring);

// For a fit. Without a terminal it writes a line for each size and each part of the work, and one
// at the first window after ten seconds of silence. `console` is borrowed. One thread.
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
