// SPDX-License-Identifier: Apache-2.0
#include "engine/session/run_events.h"

#include <limits>
#include <utility>

#include "engine/memory/allocator_watch.h"
#include "engine/memory/host_scope.h"

namespace accrue {

RunEvents::RunEvents(const ActiveRun& run, EventSink& sink)
    : m_run(run)
    , m_sink(sink)
    , m_ofRanks(run.world)
{
}

void RunEvents::report(RunMessage::Severity severity, const Message& text)
{
    const Position& at = m_run.states.known.position;
    m_sink.emitEvent(
        RunMessage { .severity = severity, .step = at.step, .seconds = at.seconds, .text = text });
}

// RunStarted is emitted even for a run that could not be prepared, so that the log has a row for
// it.
void RunEvents::started()
{
    const RunStarted& started = m_run.started;
    m_sink.emitEvent(started);
    // Without a window the run was not prepared, so the values below are not known.
    const bool isPrepared = m_run.window != nullptr;
    if (isPrepared && m_run.prepared.windows.micro() < started.plan.micro)
        retainedMicro();
    for (const Message& warning : m_run.prepared.warnings)
        warn(warning);
    const std::int64_t asked = m_run.experiment.run.threads.value_or(started.threads);
    if (isPrepared && asked > started.threads)
        warn(Message(
            "session.fewer_threads", { { "requested", asked }, { "cores", started.threads } }));
}

void RunEvents::paused()
{
    m_sink.emitEvent(
        RunPaused { .step = m_run.states.now.position.step, .seconds = m_run.clock.seconds() });
}

void RunEvents::resumed()
{
    m_sink.emitEvent(
        RunResumed { .step = m_run.states.now.position.step, .seconds = m_run.clock.seconds() });
}

void RunEvents::ranks(RanksMeasured measured)
{
    if (!measured.values.empty())
        m_sink.emitEvent(std::move(measured));
}

void RunEvents::memory(const Position& at, std::vector<PhaseMemory> phases)
{
    if (!phases.empty())
        m_sink.emitEvent(MemoryMeasured { .step = at.step,
            .epoch = at.epoch,
            .seconds = at.seconds,
            .phases = std::move(phases) });
}

// NaN, not 0, if every window was dropped: 0 would look like a perfect loss in a chart.
EpochDone RunEvents::epochDone(const Sums& sums)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const Position& at = m_run.states.now.position;
    const auto samples = static_cast<double>(sums.samples);
    const bool updated = sums.samples > 0;
    const EpochDone event { .epoch = at.epoch,
        .step = at.step,
        .samples = at.samples,
        .microBatches = at.microBatches,
        .seconds = m_run.clock.seconds(),
        .trainLoss = updated ? sums.loss / samples : kNone,
        .trainAccuracy = updated ? static_cast<double>(sums.correct) / samples : kNone };
    m_sink.emitEvent(event);
    return event;
}

// Dated by `now`: all figures were read before, so `now` and `known` are equal here.
Evaluated RunEvents::evaluated(
    const Evaluation& test, const std::optional<Evaluation>& validation, double secondsBefore)
{
    Evaluated event = evaluatedAt(m_run.states.now.position, test, validation);
    event.seconds = m_run.clock.seconds();
    event.evaluationMs = 1000 * (event.seconds - secondsBefore);
    m_sink.emitEvent(event);
    return event;
}

void RunEvents::learningRateChanged(std::int64_t step, double rate)
{
    m_sink.emitEvent(LearningRateChanged { .step = step,
        .seconds = m_run.clock.seconds(),
        .factor = m_run.states.now.factor,
        .learningRate = rate });
}

// Only information: the search for the largest usable scale is expected to overflow now and then.
void RunEvents::lossScaleFell(std::int64_t step)
{
    report(RunMessage::Severity::Information,
        Message("session.loss_scale_fell",
            { { "step", step },
                { "scale", static_cast<std::int64_t>(m_run.states.now.lossScale.value) } }));
}

// A typed event and not only a message: the log stores the micro-batch in force, which a resumed
// run and the memory page use.
void RunEvents::smallerMicro(std::int64_t epoch, std::int64_t before, const std::string& phase)
{
    const std::int64_t micro = m_run.prepared.windows.micro();
    const std::int64_t step = m_run.states.now.cursor.updates + 1;
    m_sink.emitEvent(OutOfMemory { .step = step,
        .epoch = epoch,
        .seconds = m_run.clock.seconds(),
        .fromMicro = before,
        .toMicro = micro,
        .phase = phase,
        .text = Message("session.memory_retry",
            { { "step", step }, { "before", before }, { "micro", micro } }) });
}

// An earlier attempt at this run has found the planned micro-batch too large.
void RunEvents::retainedMicro()
{
    const std::int64_t planned = m_run.started.plan.micro;
    const std::int64_t micro = m_run.prepared.windows.micro();
    m_sink.emitEvent(OutOfMemory { .step = m_run.states.now.position.step,
        .epoch = m_run.states.now.position.epoch,
        .seconds = m_run.clock.seconds(),
        .fromMicro = planned,
        .toMicro = micro,
        .phase = {},
        .text = Message(
            "session.smaller_micro_retained", { { "planned", planned }, { "micro", micro } }) });
}

// Warns before the run is out of memory, because the slow windows in between have no other visible
// cause.
void RunEvents::nearlyFull(std::int64_t retries, bool microCanShrink)
{
    const Message advice = microCanShrink
        ? Message("session.smaller_micro_helps", { { "micro", m_run.prepared.windows.micro() } })
        : Message("session.smaller_model_helps");
    warn(Message("session.nearly_full",
        { { "windows", RetryWatch::kPatience }, { "step", m_run.states.now.position.step },
            { "retries", retries }, { "advice", advice } }));
}

// The run stays valid, but it is no longer bit for bit that of a device with more memory.
void RunEvents::otherAlgorithm()
{
    warn(Message("session.other_algorithm", { { "step", m_run.states.now.position.step } }));
}

void RunEvents::addTrace(std::optional<TracedMicroBatch> traced)
{
    if (!traced)
        return;
    traced->samples = m_run.states.now.position.samples;
    traced->microBatches = m_run.states.now.position.microBatches;
    traced->seconds = m_run.clock.seconds();
    m_ofRanks.add(*traced);
    m_traced.microBatches.push_back(std::move(*traced));
    if (!m_run.states.now.cursor.open)
        shareTrace();
}

// On the host scope: what is metered is the memory of the window.
void RunEvents::shareTrace()
{
    const HostScope onHost;
    const RunState& now = m_run.states.now;
    for (RanksMeasured& event : m_ofRanks.share(stepOfTrace(), now.position.epoch))
        ranks(std::move(event));
}

void RunEvents::dropTrace()
{
    m_traced = {};
    m_ofRanks.drop();
}

// The window that is open, or the one that was closed last.
std::int64_t RunEvents::stepOfTrace() const
{
    const WindowCursor& cursor = m_run.states.now.cursor;
    return cursor.updates + (cursor.open ? 1 : 0);
}

// One event per window, because the window's number is only certain when its update has happened. A
// checkpoint in the middle of a window emits what there is, since a resumed run does not compute
// those micro-batches again.
void RunEvents::emitTrace()
{
    if (m_traced.microBatches.empty())
        return;
    m_traced.step = stepOfTrace();
    m_traced.epoch = m_run.states.now.position.epoch;
    m_sink.emitEvent(std::exchange(m_traced, {}));
}

void RunEvents::checkpointSaved(std::int64_t step, const std::string& folder)
{
    m_sink.emitEvent(
        CheckpointSaved { .step = step, .seconds = m_run.clock.seconds(), .folder = folder });
}

void RunEvents::checkpointFailed(std::int64_t step, const Message& problem)
{
    warn(Message("session.checkpoint_failed", { { "step", step }, { "problem", problem } }));
}

} // namespace accrue
