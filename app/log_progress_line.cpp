// SPDX-License-Identifier: Apache-2.0
#include "app/log_progress_line.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr std::chrono::milliseconds kPatience { 500 };
constexpr std::chrono::milliseconds kFrame { 100 };

} // namespace

LogProgressLine::~LogProgressLine()
{
    if (m_shown)
        m_console.clearLive();
}

LogProgress LogProgressLine::progress()
{
    return [this](double share, const std::string& what) { show(share, what); };
}

void LogProgressLine::show(double share, const std::string& what)
{
    const Clock::time_point now = Clock::now();
    if (now - m_begin < kPatience || now - m_drawn < kFrame)
        return;
    if (m_console.terminal().err)
        m_console.showLive(
            what + ": " + std::to_string(std::lround(100 * std::clamp(share, 0.0, 1.0))) + " %");
    else if (!m_shown)
        m_console.say(what + " …");
    m_shown = true;
    m_drawn = now;
}

} // namespace accrue
