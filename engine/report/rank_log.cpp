// SPDX-License-Identifier: Apache-2.0
#include "engine/report/rank_log.h"

#include <ctime>
#include <string>
#include <system_error>
#include <variant>

#include <unistd.h>

#include "engine/base/format.h"
#include "engine/events/event_json.h"
#include "engine/runlog/this_machine.h"

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kBetweenSteps { 1 };

std::string percent(double share)
{
    return formatNumber(100 * share, 4) + " %";
}

std::string text(std::int64_t count)
{
    return std::to_string(count);
}

} // namespace

fs::path rankLogIn(const fs::path& folder, std::int64_t rank)
{
    return folder / ("rank-" + text(rank) + ".log");
}

RankLog::RankLog(const fs::path& folder, std::int64_t rank, std::int64_t ranks)
    : m_rank(rank)
    , m_ranks(ranks)
{
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    m_file.open(rankLogIn(folder, rank), std::ios::app);
}

void RankLog::emitEvent(Event event)
{
    std::visit([this](const auto& one) { write(one); }, event);
}

// Flushed, so that a process that is killed has written what it knew.
void RankLog::line(std::string_view text)
{
    m_file << localTime(std::time(nullptr), "%Y-%m-%d %H:%M:%S  ") << text << std::endl;
    m_file.clear();
}

void RankLog::write(const RunStarted& started)
{
    line("rank " + text(m_rank) + " of " + text(m_ranks) + " begins: process " + text(::getpid())
        + " on " + thisMachine().host + ", " + started.device + " (" + started.deviceName + "), "
        + text(started.threads) + (started.threads == 1 ? " thread" : " threads"));
}

void RankLog::write(const StepDone& step)
{
    const auto now = std::chrono::steady_clock::now();
    if (now < m_nextStep)
        return;
    m_nextStep = now + kBetweenSteps;
    line("epoch " + text(step.epoch) + "  step " + text(step.step) + "  loss "
        + formatNumber(step.loss, 6) + "  window " + formatNumber(step.stepMs, 4) + " ms (forward "
        + formatNumber(step.forwardMs, 4) + ", backward " + formatNumber(step.backwardMs, 4)
        + ", optimizer " + formatNumber(step.optimizerMs, 4) + ")  peak memory "
        + formatBytes(step.peakBytes));
}

void RankLog::write(const EpochDone& epoch)
{
    line("epoch " + text(epoch.epoch) + " done at step " + text(epoch.step) + "  training loss "
        + formatNumber(epoch.trainLoss, 6) + "  training accuracy " + percent(epoch.trainAccuracy));
}

void RankLog::write(const Evaluated& evaluated)
{
    line("evaluation at step " + text(evaluated.step) + "  test loss "
        + formatNumber(evaluated.testLoss, 6) + "  test accuracy "
        + percent(evaluated.testAccuracy));
}

void RankLog::write(const OutOfMemory& cut)
{
    line(cut.text.english());
}

void RankLog::write(const RunMessage& message)
{
    line(message.text.english());
}

void RankLog::write(const RunEnded& ended)
{
    line("ends at step " + text(ended.step) + ": " + std::string(nameOf(ended.outcome))
        + (ended.message.empty() ? std::string() : ". " + ended.message.english()));
}

} // namespace accrue
