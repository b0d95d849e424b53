// SPDX-License-Identifier: Apache-2.0
#include "app/train_output.h"

#include "engine/events/event_json.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

namespace accrue {

namespace {
constexpr std::chrono::milliseconds kRedraw { 250 };

// The event's lines, the first with the run's place in the log.
std::string linesOf(const Event& event, const std::optional<TrainOutput::Run>& run)
{
    if (!run || !std::holds_alternative<RunStarted>(event))
        return toJsonLines(event);
    std::vector<nlohmann::ordered_json> objects = jsonObjects(event);
    objects.front()["id"] = run->id;
    objects.front()["log"] = run->log.string();
    objects.front()["attempt"] = run->attempt;
    std::string lines;
    for (const nlohmann::ordered_json& object : objects)
        lines += (lines.empty() ? "" : "\n") + jsonLine(object);
    return lines;
}
} // namespace

TrainOutput::TrainOutput(Console& console, const RunControl& control, Mode mode)
    : m_console(console)
    , m_control(control)
    , m_mode(mode)
{
    m_ticker = std::thread([this] { tickUntilFinished(); });
}

void TrainOutput::begin(Run run)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_tally = run.before;
    m_run = std::move(run);
}

TrainOutput::~TrainOutput()
{
    finish();
}

void TrainOutput::emitEvent(Event event)
{
    if (m_mode == Mode::Json)
        printJson(event);
    if (m_mode == Mode::Lines)
        sayEpochIfDue(event);
    if (const auto* message = std::get_if<RunMessage>(&event))
        sayMessage(message->severity, message->text);
    if (const auto* cut = std::get_if<OutOfMemory>(&event))
        sayMessage(RunMessage::Severity::Warning, cut->text);
    const std::lock_guard<std::mutex> lock(m_mutex);
    // Last, so that a line of an epoch shows the tally before its own event.
    m_tally.take(event);
}

void TrainOutput::finish()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_finished = true;
    }
    m_wake.notify_all();
    // The destructor calls finish() again.
    if (m_ticker.joinable())
        m_ticker.join();
    m_console.clearLive();
}

RunTally TrainOutput::tally() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_tally;
}

void TrainOutput::watch(const RunLogWriter& log)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_watched = &log;
}

void TrainOutput::tickUntilFinished()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!m_finished) {
        // Copied, so that composing the line needs no lock.
        const RunTally now = m_tally;
        const RunLogWriter* log = m_watched;
        lock.unlock(); // a slow terminal must not delay the log
        if (m_mode == Mode::Live)
            m_console.showLive(progressText(now, m_control.progress()));
        if (log != nullptr)
            sayProblemOfLog(*log);
        lock.lock();
        m_wake.wait_for(lock, kRedraw, [this] { return m_finished; });
    }
}

void TrainOutput::sayProblemOfLog(const RunLogWriter& log)
{
    const Message problem = log.problem();
    if (problem == m_problem)
        return;
    m_problem = problem;
    if (problem.empty())
        m_console.say(Message("cli.log_writable_again"));
    else
        m_console.warn(Message("cli.log_waits", { { "problem", problem } }));
}

void TrainOutput::printJson(const Event& event)
{
    const auto* memory = std::get_if<MemoryMeasured>(&event);
    if (memory != nullptr && !m_memory.take(*memory))
        return; // same as the previous window
    m_console.printLine(linesOf(event, m_run));
    const std::optional<int> error = m_console.outputError();
    if (!error)
        return;
    // Reported once, and training continues: only its output is lost.
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (!std::exchange(m_lossSaid, true))
        m_console.warn(*error == EPIPE
                ? Message("cli.output_unread")
                : Message("cli.output_lost", { { "reason", std::string(std::strerror(*error)) } }));
}

// An epoch's line waits for the next event, which may be the epoch's evaluation.
void TrainOutput::sayEpochIfDue(const Event& next)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (std::exchange(m_epochDue, std::holds_alternative<EpochDone>(next))) {
        if (const auto* evaluated = std::get_if<Evaluated>(&next))
            m_tally.evaluation = *evaluated;
        m_console.say(epochText(m_tally));
    }
}

void TrainOutput::sayMessage(RunMessage::Severity severity, const Message& text)
{
    if (severity == RunMessage::Severity::Information)
        m_console.say(text);
    else
        m_console.warn(text);
}

} // namespace accrue
