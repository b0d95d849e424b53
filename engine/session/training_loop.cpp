// SPDX-License-Identifier: Apache-2.0
#include "engine/session/training_loop.h"

#include <algorithm>
#include <utility>

#include "engine/accelerator/device_scope.h"
#include "engine/base/sentences.h"
#include "engine/session/run_failure.h"

namespace accrue {

namespace {

struct EarlyReason {
    EarlyEnd early = EarlyEnd::None;
    Message message {};
};

EarlyReason reasonToEnd(const RunSettings& settings, const StopRule& rule, const RunState& now)
{
    const std::int64_t step = now.position.step;
    if (const auto values = valuesThatMeet(rule, now.ruleValues))
        return { EarlyEnd::Rule,
            Message("session.rule_met",
                { { "rule", settings.stopWhen }, { "step", step }, { "values", *values } }) };
    if (settings.patience > 0 && now.evaluationsSinceBest >= settings.patience)
        return { EarlyEnd::Patience,
            Message("session.patience_over",
                { { "step", step }, { "evaluations", now.evaluationsSinceBest },
                    { "best", Percent { now.best } } }) };
    return {};
}

} // namespace

TrainingLoop::TrainingLoop(
    ActiveRun& run, RunEvents& events, StepReader& steps, RunCheckpoints& checkpoints)
    : m_run(run)
    , m_events(events)
    , m_steps(steps)
    , m_checkpoints(checkpoints)
    , m_steering(run, events, steps)
    , m_evaluation(run, events, m_steering)
    , m_histograms(run, events)
    , m_rule(parseStopRule(run.experiment.run.stopWhen).rule)
    , m_retries(allocationRetries(run.device))
    , m_epochsReported(run.states.now.cursor.epoch - 1)
{
    if (run.prepared.windows.epochIsOver(run.states.now.cursor))
        ++m_epochsReported;
}

void TrainingLoop::train()
{
    evaluateIfDue(); // a run may have been stopped while it evaluated
    m_checkpoints.saveIfDue();
    endEarly(); // or been killed before it ended
    stopAfterUpdates(); // or before it was stopped
    while (const auto part = nextPart()) {
        if (!compute(*part))
            continue; // the window opens again with smaller micro-batches
        measureIfDue();
        if (m_run.prepared.windows.epochIsOver(m_run.states.now.cursor))
            endEpoch();
        evaluateIfDue();
        m_checkpoints.saveIfDue();
        endEarly();
        stopAfterUpdates();
    }
    m_steps.readAll();
    if (m_histograms.isDueAtEnd())
        m_histograms.measure();
    m_steering.reportRest();
}

// Returns empty if the run is over.
std::optional<WindowPart> TrainingLoop::nextPart() const
{
    if (m_run.ending.isOver || m_run.states.now.position.step >= m_run.started.totalSteps)
        return {};
    return m_run.prepared.windows.next(m_run.states.now.cursor);
}

// Returns false if memory ran out, so that the window has to be computed again from its beginning.
// That is only possible before its update: once the optimizer has begun, the old parameters are
// gone. updates() shows whether it has, whatever threw.
bool TrainingLoop::compute(const WindowPart& part)
{
    const std::int64_t updates = m_run.window->updates();
    try {
        m_run.failures->begin();
        begin(part);
        if (advance(part))
            return true;
    } catch (...) {
        if (m_run.window->updates() != updates || !canRepeat(std::current_exception()))
            throw;
        m_run.window->finishSlice();
        m_steering.reportShortage();
    }
    // Outside of the handler: the exception is gone, and with it the tensors that it may have held.
    repeatSmaller(part.epoch);
    return false;
}

// A window that is carried over an epoch's end has a part in each epoch, and only its first part
// opens it.
void TrainingLoop::begin(const WindowPart& part)
{
    RunStates& states = m_run.states;
    if (part.opens())
        states.opened = states.now;
    if (part.epoch != m_run.order->epoch())
        m_run.beginEpoch(part.epoch);
    if (!part.opens())
        return;
    m_run.window->open(m_run.opening(part.window.samples));
    states.now.slicesDone = 0;
    m_ownSamples = 0;
}

// Returns false if another rank was out of memory.
bool TrainingLoop::advance(const WindowPart& part)
{
    switch (accumulate(part)) {
    case RunSteering::Next::Repeat:
        return false;
    case RunSteering::Next::Stop:
        stopHere();
        return true;
    case RunSteering::Next::Continue:
        break;
    }
    return part.closes() ? update(part.window) : m_steering.endPart();
}

RunSteering::Next TrainingLoop::accumulate(const WindowPart& part)
{
    const WindowSequence& windows = m_run.prepared.windows;
    RunState& now = m_run.states.now;
    for (const Slice& slice : windows.slices(part)) {
        if (const auto next = m_steering.next(); next != RunSteering::Next::Continue)
            return next;
        const Slice share = shareOf(slice, m_run.world.rank(), m_run.world.size());
        m_run.window->add(m_run.order->indices(), share);
        m_ownSamples += share.samples;
        ++now.slicesDone;
        now.cursor = windows.advanced(now.cursor, part, slice.samples);
        now.position.samples += slice.samples;
        ++now.position.microBatches;
        if (now.cursor.open)
            m_events.addTrace(m_run.window->traced());
    }
    return RunSteering::Next::Continue;
}

// Returns false if another rank was out of memory.
bool TrainingLoop::update(const Window& window)
{
    RunState& now = m_run.states.now;
    now.position.step = now.cursor.updates;
    const std::optional<double> rate = m_steering.learningRate(now.position.step, window);
    if (!rate)
        return false;
    m_run.window->close(*rate);
    now.position.seconds = m_run.clock.seconds();
    m_events.addTrace(m_run.window->traced());
    m_events.emitTrace();
    addPending(window, *rate);
    reportMemory();
    return true;
}

void TrainingLoop::addPending(const Window& window, double rate)
{
    const RunState& now = m_run.states.now;
    m_steps.add({ .event = { .step = now.position.step,
                      .epoch = now.position.epoch,
                      .samples = now.position.samples,
                      .microBatches = now.position.microBatches,
                      .seconds = now.position.seconds,
                      .windowSamples = window.samples,
                      .learningRate = rate,
                      .peakBytes = m_run.meter->peakBytes() },
        .memory = m_run.window->endMetering(),
        .after = now,
        .ownSamples = m_ownSamples });
}

// Warns while the allocator is only retrying, before an allocation fails, and when a library has
// worked around memory that it did not get.
void TrainingLoop::reportMemory()
{
    if (m_run.budget && !std::exchange(m_recounted, true))
        m_run.budget->recount();
    if (m_retries.windowEnded(allocationRetries(m_run.device)))
        m_events.nearlyFull(m_retries.retries(), m_run.prepared.windows.finerMicro().has_value());
    if (m_run.failures->hasHidden())
        m_events.otherAlgorithm();
}

bool TrainingLoop::canRepeat(const std::exception_ptr& failure) const
{
    return isOutOfMemory(failure, *m_run.failures) && m_run.prepared.windows.finerMicro();
}

// Undoes the window as if it had never begun: its samples count as not computed, and nothing of it
// has reached parameters, buffers, optimizer or log. Windows before it are read first, because they
// may have ended the run, and then there is nothing to repeat.
void TrainingLoop::repeatSmaller(std::int64_t epoch)
{
    RunStates& states = m_run.states;
    WindowSequence& windows = m_run.prepared.windows;
    m_run.failures->attemptFailed();
    if (!m_steps.readAll())
        return;
    const std::int64_t before = windows.micro();
    const std::int64_t micro = *windows.finerMicro();
    m_run.window->abandon();
    m_events.dropTrace();
    states.now.cursor = states.opened.cursor;
    states.now.position = states.opened.position;
    m_run.order->forget();
    windows.cutInto(micro);
    states.now.micro = states.known.micro = states.good.micro = micro;
    m_run.window->holdSlices(std::min(micro, m_run.started.trainSamples));
    releaseCached(m_run.device);
    m_retries = RetryWatch(allocationRetries(m_run.device));
    // Memory that runs out between the parts of a window counts as that of its data.
    const auto phase = memoryPhaseOf(m_run.control.progress().phase);
    m_events.smallerMicro(epoch, before, nameOf(phase.value_or(MemoryPhase::Data)));
}

void TrainingLoop::measureIfDue()
{
    if (m_histograms.isDue() && m_steps.readAll())
        m_histograms.measure();
}

void TrainingLoop::endEpoch()
{
    const RunState& now = m_run.states.now;
    if (!m_steps.readAll())
        return;
    if (now.cursor.open) // the time before the window's next slice does not belong to the window
        m_run.window->phases().enter(Phase::Paused);
    if (now.position.epoch <= m_epochsReported)
        return; // a window carried over from that epoch is computed again
    m_epochsReported = now.position.epoch;
    m_steps.endEpoch();
}

void TrainingLoop::evaluateIfDue()
{
    if (!m_run.ending.isOver && m_evaluation.isDue() && m_steps.readAll())
        evaluate();
}

void TrainingLoop::evaluate()
{
    const bool isDone = m_evaluation.run();
    m_run.ranks.begin();
    if (!isDone)
        return stopHere();
    if (m_run.failures->hasHidden())
        m_events.otherAlgorithm();
}

// After its last evaluation, like every completed run. All ranks know the same figures, so all of
// them end here without an agreement.
void TrainingLoop::endEarly()
{
    const RunState& now = m_run.states.now;
    if (m_run.ending.isOver || now.cursor.open || now.position.step >= m_run.started.totalSteps)
        return;
    const EarlyReason reason = reasonToEnd(m_run.experiment.run, m_rule, now);
    if (reason.early == EarlyEnd::None || !m_steps.readAll())
        return;
    if (now.lastEvaluation != now.position.step)
        evaluate();
    if (!m_run.ending.isOver)
        m_run.ending.end(RunOutcome::Completed, reason.message, reason.early);
}

// TrainRequest::stopAfter.
void TrainingLoop::stopAfterUpdates()
{
    const std::int64_t last = m_run.request.stopAfter;
    const RunState& now = m_run.states.now;
    const std::int64_t step = now.position.step;
    if (m_run.ending.isOver || last <= 0 || step < last || step >= m_run.started.totalSteps)
        return;
    const bool evaluates = m_run.request.evaluatesAtStop && now.lastEvaluation != step;
    if (evaluates && m_steps.readAll())
        evaluateBeside();
    if (!m_run.ending.isOver)
        stopHere(m_run.request.evaluatesAtStop);
}

// One evaluation more than the run asks for: the next one and the run's patience stay where they
// are.
void TrainingLoop::evaluateBeside()
{
    RunState& now = m_run.states.now;
    const double next = now.evaluationNext;
    const std::int64_t sinceBest = now.evaluationsSinceBest;
    evaluate();
    now.evaluationNext = next;
    now.evaluationsSinceBest = std::min(now.evaluationsSinceBest, sinceBest);
}

void TrainingLoop::stopHere(bool isCompared)
{
    if (!m_steps.readAll())
        return;
    const RunState& now = m_run.states.now;
    Message where(isCompared ? "session.stopped_at_rung" : "session.stopped",
        { { "step", now.position.step }, { "total", m_run.started.totalSteps },
            { "epoch", now.position.epoch } });
    if (now.cursor.open)
        where = followedBy(where, Message("session.open_window_saved"));
    m_run.ending.end(RunOutcome::Stopped, std::move(where));
}

} // namespace accrue
