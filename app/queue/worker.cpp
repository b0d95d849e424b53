// SPDX-License-Identifier: Apache-2.0
#include "app/queue/worker.h"

#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/queue/queue_text.h"
#include "app/stop_signals.h"
#include "app/train_output.h"
#include "engine/base/error.h"
#include "engine/report/logged_times.h"
#include "engine/runs/run_json.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace accrue {

namespace {

constexpr std::chrono::milliseconds kLook { 500 }; // how often a worker looks into the log

bool endedBadly(const RunRecord& run)
{
    return run.outcome && isFailure(*run.outcome);
}

} // namespace

// Shows the run on the terminal, and stops it if that is requested through the log.
class WorkerObserver : public TrainingObserver {
public:
    WorkerObserver(Console& console, RunControl& control, const RunLogWriter& log, bool live)
        : m_control(control)
    {
        if (live) {
            m_output.emplace(console, control, TrainOutput::Mode::Live);
            m_output->watch(log);
        }
    }
    void began(RunId run) override
    {
        if (!m_output)
            return;
        TrainOutput::Run shown;
        shown.id = numberOf(run);
        m_output->begin(std::move(shown));
    }
    void emitEvent(Event event) override
    {
        if (m_output)
            m_output->emitEvent(std::move(event));
    }
    // Nothing of the run or its output is used afterwards, whatever the log still shows.
    void finish()
    {
        if (m_output)
            m_output->finish();
    }
    RunControl& control() { return m_control; }

private:
    RunControl& m_control;
    std::optional<TrainOutput> m_output;
};

namespace {

bool isToStop(const QueueState& queue, RunId run)
{
    return std::find(queue.toStop.begin(), queue.toStop.end(), run) != queue.toStop.end();
}

// While a run trains: looks into the log whether somebody requests that it stops.
class StopRequests {
public:
    StopRequests(std::filesystem::path log, RunId run, RunControl& control)
        : m_thread([log = std::move(log), run, &control](
                       const std::stop_token& over) { watch(log, run, control, over); })
    {
    }

private:
    static void watch(const std::filesystem::path& log, RunId run, RunControl& control,
        const std::stop_token& over)
    {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock<std::mutex> lock(mutex);
        std::optional<RunLogReader> reader;
        while (!wake.wait_for(lock, over, kLook, [&] { return over.stop_requested(); })) {
            try {
                if (!reader)
                    reader.emplace(log);
                if (reader->changed() && isToStop(reader->queueState(), run))
                    control.requestStop();
            } catch (const RunLogError&) {
                reader.reset(); // the writer reports what is wrong with the log
            }
        }
    }

    std::jthread m_thread;
};

} // namespace

Worker::Worker(WorkerPlan plan, Console& console)
    : m_plan(std::move(plan))
    , m_console(console)
    , m_engine(requireEngine())
    , m_writer(m_plan.log)
    , m_reader(m_plan.log)
    , m_queue(m_writer)
{
}

Worker::~Worker()
{
    m_reader.reset();
    m_writer.close(); // before the observers, which it may still call
}

int Worker::work()
{
    const StopSignals signals(
        [this](int signal) {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_signal = signal;
            stopCurrent();
        },
        [this](int signal) {
            m_console.sayLast(Message("cli.quitting_run"));
            _exit(exitCodeOf(signal));
        });
    bool isIdle = true;
    while (signals.received() == 0) {
        const Next next = trainNext();
        if (next == Next::Nothing && !m_plan.watches)
            break;
        isIdle = false;
        if (next != Next::Trained)
            waitForMore();
    }
    if (signals.received() != 0)
        return exitCodeOf(signals.received());
    if (isIdle && !m_plan.isOneOfSeveral) // everything is held
        m_console.say(outlookText(runsWithTimes(), m_reader->queueState().held));
    return m_failed ? kExitFailed : kExitDone;
}

// m_mutex is held.
void Worker::stopCurrent()
{
    if (m_control == nullptr)
        return;
    m_control->requestStop();
    m_writer.admitAll();
    if (!m_plan.isOneOfSeveral)
        m_console.sayIfFree(Message("cli.stopping_run"));
}

Worker::Next Worker::trainNext()
{
    QueueNews news;
    const std::optional<TakenRun> taken = m_queue.take({}, &news);
    for (const RunId run : news.stopped)
        ended(run);
    for (const RunId run : news.held)
        held(run);
    if (!taken)
        return news.awaitsRung ? Next::AwaitsOthers : Next::Nothing;
    m_console.say(beginningOf(m_reader->run(taken->id), taken->begun));
    try {
        train(*taken);
    } catch (const RunLogError& error) {
        give(taken->id, error.message()); // it was removed meanwhile, or the log cannot be written
    }
    return Next::Trained;
}

void Worker::train(const TakenRun& taken)
{
    RunControl control;
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_control = &control;
        if (m_signal != 0)
            control.requestStop();
    }
    std::optional<Message> problem;
    try {
        const LoggedTraining training = trainTaken(taken, control);
        if (!training.unwritten.empty())
            m_console.sayError(training.unwritten);
    } catch (const RunLogError&) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_control = nullptr;
        throw;
    } catch (const Error& error) {
        problem = error.message();
    }
    bool stopped = false;
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_control = nullptr;
        stopped = m_signal != 0;
    }
    if (problem && stopped)
        give(taken.id, {}); // a run that had not begun waits as before
    else if (problem)
        m_queue.fail(taken.id, *problem);
    ended(taken.id);
}

LoggedTraining Worker::trainTaken(const TakenRun& taken, RunControl& control)
{
    TrainingOrder order = orderOfQueued(m_engine, *m_reader, taken, m_plan.terms, control);
    order.staysQueued = [this] {
        const std::lock_guard<std::mutex> lock(m_mutex);
        return m_signal != 0;
    };
    const bool live = !m_plan.isOneOfSeveral && m_console.terminal().err && !m_plan.json;
    m_observers.push_back(std::make_unique<WorkerObserver>(m_console, control, m_writer, live));
    WorkerObserver& observer = *m_observers.back();
    const StopRequests requests(m_plan.log, taken.id, control);
    LoggedTraining training =
        trainInLog(m_engine, order, control, &m_writer, observer, AfterTraining::FlushLog);
    observer.finish();
    return training;
}

// As `accrue queue` shows them.
std::vector<RunRecord> Worker::runsWithTimes()
{
    std::vector<RunRecord> runs = m_reader->runs();
    predictMissingTimes(runs);
    return runs;
}

void Worker::ended(RunId run)
{
    const RunRecord record = m_reader->run(run);
    m_failed = m_failed || endedBadly(record);
    if (m_plan.json && record.outcome)
        m_console.printLine(jsonOf(record).dump());
    m_console.say(endingOf(record, runsWithTimes()));
}

// What kills its workers has failed, although it may be tried again.
void Worker::held(RunId run)
{
    m_failed = true;
    m_console.warn(Message("cli.queued_run_held",
        { { "run", labelOf(m_reader->run(run)) }, { "number", numberOf(run) } }));
}

// It waits again, or is no longer in the queue.
void Worker::give(RunId run, const Message& why)
{
    if (!why.empty())
        m_console.sayError(why);
    m_queue.putBack(run);
}

void Worker::waitForMore()
{
    std::this_thread::sleep_for(kLook);
}

} // namespace accrue
