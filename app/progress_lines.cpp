// SPDX-License-Identifier: Apache-2.0
#include "app/progress_lines.h"

#include "app/text_table.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

// Most logs open at once: a line that flashes up would only disturb.
constexpr std::chrono::milliseconds kPatience { 500 };
constexpr std::chrono::milliseconds kFrame { 100 };

// Without a terminal: long enough to keep files short, short enough to show that it still works.
constexpr std::chrono::seconds kSilence { 10 };

Message partOf(const FitProgress& now)
{
    if (now.proving)
        return Message("cli.fit_proves");
    return now.timing ? Message("cli.fit_times") : Message("cli.fit_measures");
}

Message sizeOf(const FitProgress& now)
{
    if (now.steps == 1)
        return Message("cli.fit_micro_batch", { { "micro", now.micro } });
    return Message("cli.fit_micro_batches", { { "steps", now.steps }, { "micro", now.micro } });
}

double secondsOf(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

} // namespace

LogProgressLine::~LogProgressLine()
{
    if (m_shown)
        m_console.clearLive();
}

LogProgress LogProgressLine::progress()
{
    return [this](double share, const Message& what) { show(share, what.text()); };
}

void LogProgressLine::show(double share, const std::string& what)
{
    const Clock::time_point now = Clock::now();
    if (now - m_begin < kPatience || now - m_drawn < kFrame)
        return;
    if (m_console.terminal().err)
        m_console.showLive(
            heading(what) + std::to_string(std::lround(100 * std::clamp(share, 0.0, 1.0))) + " %");
    else if (!m_shown)
        // Written once: percentages would add a line each.
        m_console.say(what + " …");
    m_shown = true;
    m_drawn = now;
}

std::string fitProgressLine(const FitProgress& now, double seconds, double measuring)
{
    const auto left = secondsLeft(now, measuring);
    const Message window = Message("cli.fit_window",
        { { "part", partOf(now) }, { "window", now.windows + 1 }, { "windows", now.ofWindows },
            { "time", Duration { seconds } } });
    const Message size = sizeOf(now);
    return left ? Message("cli.fit_progress_left",
               { { "window", window }, { "left", Duration { *left } }, { "size", size } })
                      .text()
                : Message("cli.fit_progress", { { "window", window }, { "size", size } }).text();
}

void FitProgressReport::show(const FitProgress& now)
{
    const Clock::time_point time = Clock::now();
    // Loading data and device comes before the first window, and would spoil the estimate.
    m_firstAt = m_firstAt.value_or(time);
    const std::string line =
        fitProgressLine(now, secondsOf(time - m_begin), secondsOf(time - *m_firstAt));
    if (m_console.terminal().err) {
        m_console.showLive(line);
        return;
    }
    if (!isNews(now) && time - m_shownAt < kSilence)
        return;
    m_console.say(line);
    m_shown = now;
    m_shownAt = time;
}

// Speed is measured in rounds, each of which begins again with the smallest size: only a larger
// size is news.
bool FitProgressReport::isNews(const FitProgress& now) const
{
    if (!m_shown || m_shown->proving != now.proving || m_shown->timing != now.timing)
        return true;
    return now.timing ? now.micro > m_shown->micro : now.micro != m_shown->micro;
}

} // namespace accrue
