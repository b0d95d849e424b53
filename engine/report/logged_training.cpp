// SPDX-License-Identifier: Apache-2.0
#include "engine/report/logged_training.h"

#include "engine/report/launch_mark.h"
#include "engine/report/local_ranks.h"
#include "engine/report/rank_log.h"
#include "engine/runlog/program_version.h"
#include "engine/runlog/resume_check.h"

#include <utility>

namespace accrue {

namespace {

// Shows each event to the observer and passes it on to a sink that is only known once the run has
// begun.
class Relay : public EventSink {
public:
    // All borrowed.
    Relay(TrainingObserver& observer, const TrainingOrder& order, const RunControl& control)
        : m_observer(observer)
        , m_order(order)
        , m_control(control)
        , m_sink(&observer)
    {
    }
    void passTo(EventSink& sink) { m_sink = &sink; } // borrowed; before the first event
    // With several devices: rank 0's own file, beside those of the others.
    void logBeside(const std::filesystem::path& checkpoints, std::int64_t ranks)
    {
        m_rankLog.emplace(checkpoints, /*rank=*/0, ranks);
    }

    void emitEvent(Event event) override
    {
        if (auto* const ended = std::get_if<RunEnded>(&event); ended != nullptr)
            m_staysQueued = ended->staysQueued =
                ended->outcome == RunOutcome::Stopped && waitsAgain();
        m_observer.emitted(event);
        if (m_rankLog)
            m_rankLog->emitEvent(event);
        m_sink->emitEvent(std::move(event));
    }
    bool settle() override { return m_sink->settle(); }
    bool staysQueued() const { return m_staysQueued; } // the run that has ended

private:
    // A run that was stopped. Nobody has requested that of one that stopped at its rung.
    bool waitsAgain() const
    {
        return (m_order.staysQueued && m_order.staysQueued())
            || (m_order.stopsAtRung && !m_control.stopRequested());
    }

    TrainingObserver& m_observer;
    const TrainingOrder& m_order;
    const RunControl& m_control;
    bool m_staysQueued = false;
    EventSink* m_sink;
    std::optional<RankLog> m_rankLog;
};

TrainRequest requestOf(const TrainingOrder& order)
{
    TrainRequest request { order.resolved, order.dataDirectories, order.checkpointFolder };
    if (order.resumed && order.resumed->from)
        request.resumeFrom = order.resumed->from->folder;
    request.stopAfter = order.stopAfter;
    request.evaluatesAtStop = order.stopsAtRung;
    request.place = order.place;
    request.program = programVersion() + " " + codeRevision();
    return request;
}

RunId beginIn(RunLogWriter& log, const TrainingOrder& order)
{
    if (order.queued) {
        log.beginQueued(*order.queued, order.resolved);
        return *order.queued;
    }
    if (!order.resumed)
        return log.beginRun(order.resolved);
    const std::optional<SavedCheckpoint>& from = order.resumed->from;
    log.resumeRun(order.resumed->id, from ? from->at : ResumePoint {}, order.resolved);
    return order.resumed->id;
}

// Returns false if the log lacks something.
bool finish(RunLogWriter& log, AfterTraining afterwards)
{
    return afterwards == AfterTraining::CloseLog ? log.close() : log.flush();
}

} // namespace

LoggedTraining trainInLog(Engine& engine, const TrainingOrder& order, RunControl& control,
    RunLogWriter* log, TrainingObserver& observer, AfterTraining afterwards)
{
    LoggedTraining training;
    Relay events(observer, order, control);
    TrainRequest request = requestOf(order);
    std::optional<LocalRanks> others;
    if (!order.place && order.resolved.plan.devices > 1) {
        others.emplace(order.resolved.plan.devices);
        request.place = others->place();
        request.lossOfRanks = [&] { return others->loss(); };
    }
    // The engine calls this when everything that the run needs was found: a run that cannot start
    // leaves no row in the log.
    if (log != nullptr)
        request.begin = [&] {
            training.id = beginIn(*log, order);
            // In this order: the run has to be in the log before an event can be queued for it, and
            // the observer learns its number before the first event.
            events.passTo(log->sink(training.id, &observer));
            observer.began(training.id);
            const std::filesystem::path folder = log->checkpointFolder(training.id);
            if (order.place && !order.place->launch.empty())
                markLaunch(folder, order.place->launch);
            if (order.resolved.plan.devices > 1)
                events.logBeside(folder, order.resolved.plan.devices);
            return folder;
        };
    try {
        training.ended = engine.train(request, control, events);
    } catch (...) {
        // The log's thread shows events to the observer until the log is closed.
        if (log != nullptr && afterwards == AfterTraining::CloseLog)
            log->close();
        throw;
    }
    training.ended.staysQueued = events.staysQueued();
    others.reset();
    observer.trained();
    if (log != nullptr && !finish(*log, afterwards))
        training.unwritten = log->problem();
    return training;
}

CheckpointCheck checkOf(RunLogReader& log, const RunRecord& run)
{
    return [&log, &run](const SavedCheckpoint& saved) {
        return differenceFromLog(log, run, { saved.experiment, saved.at, saved.inWindow });
    };
}

Experiment settingsToResume(const RunRecord& run, const std::optional<SavedCheckpoint>& from)
{
    Experiment logged = run.experiment;
    logged.name = run.name;
    return resumedSettings(logged, run.threads, from);
}

Message resumeProblem(Engine& engine, const TrainingOrder& order)
{
    return order.resumed ? engine.resumeProblem(order.resumed->data, requestOf(order)) : Message();
}

} // namespace accrue
