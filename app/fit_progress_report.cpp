// SPDX-License-Identifier: Apache-2.0
#include "app/fit_progress_report.h"

#include "engine/experiment/format.h"

namespace accrue {
namespace {

constexpr std::chrono::seconds kSilence { 10 };

const char* partText(const FitProgress& now)
{
    if (now.proving)
        return "proving the budget";
    return now.timing ? "measuring speed" : "measuring memory";
}

double secondsOf(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

} // namespace

std::string fitProgressLine(const FitProgress& now, double seconds, double measuring)
{
    std::string text = partText(now) + (": window " + formatCount(now.windows + 1)) + " of about "
        + formatCount(now.ofWindows) + ", " + formatDuration(seconds);
    if (const auto left = secondsLeft(now, measuring))
        text += ", about " + formatDuration(*left) + " left";
    text += now.steps > 1 ? ", " + formatCount(now.steps) + " micro-batches of "
                          : std::string(", micro-batch of ");
    text += formatCount(now.micro) + (now.micro == 1 ? " sample" : " samples");
    return text;
}

void FitProgressReport::show(const FitProgress& now)
{
    const Clock::time_point time = Clock::now();
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

// Speed is measured in rounds, of which each begins with the smallest size again.
bool FitProgressReport::isNews(const FitProgress& now) const
{
    if (!m_shown || m_shown->proving != now.proving || m_shown->timing != now.timing)
        return true;
    return now.timing ? now.micro > m_shown->micro : now.micro != m_shown->micro;
}

} // namespace accrue
