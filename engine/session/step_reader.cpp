// SPDX-License-Identifier: Apache-2.0
#include "engine/session/step_reader.h"

#include <cmath>
#include <utility>

namespace accrue {
namespace {

// Adds what only the device knew when the window was closed.
void complete(StepDone& step, const ClosedWindow& closed)
{
    step.loss = closed.values.lossSum / static_cast<double>(step.windowSamples);
    step.gradientNorm = closed.values.gradientNorm;
    step.stepMs = closed.times.stepMs;
    step.dataMs = closed.times.dataMs;
    step.forwardMs = closed.times.forwardMs;
    step.backwardMs = closed.times.backwardMs;
    step.optimizerMs = closed.times.optimizerMs;
    step.updated = !closed.values.refused;
    step.values = closed.values.measured;
}

Message whatIsNotFinite(const StepDone& step)
{
    return std::isfinite(step.loss)
        ? Message("session.gradient_not_finite", { { "step", step.step } })
        : Message("session.loss_not_finite", { { "step", step.step } });
}

// Adds a window to the sums of an epoch, without the part that an earlier epoch was credited with.
void addTo(Sums& sums, const WindowValues& values, std::int64_t samples, const Sums& carried)
{
    sums.loss += values.lossSum - carried.loss;
    sums.correct += values.correct - carried.correct;
    sums.samples += samples - carried.samples;
}

} // namespace

StepReader::StepReader(ActiveRun& run, RunEvents& events, std::optional<std::size_t> mayBeUnread)
    : m_run(run)
    , m_events(events)
    , m_mayBeUnread(mayBeUnread.value_or(run.window->mayBeUnread()))
{
}

void StepReader::add(PendingStep step)
{
    m_pending.push_back(std::move(step));
    while (m_pending.size() > m_mayBeUnread)
        readOldest();
}

bool StepReader::readAll()
{
    while (!m_pending.empty())
        readOldest();
    return !m_run.ending.isOver;
}

// `known` receives the state after the window, except for what earlier figures decide: loss scale,
// last update and sums live on in `now`, because `after` was copied before they were known.
void StepReader::readOldest()
{
    PendingStep pending = std::move(m_pending.front());
    m_pending.pop_front();
    const ClosedWindow closed = m_run.window->read();
    if (m_run.ending.outcome == RunOutcome::Diverged)
        return; // enqueued after the step that diverged, and refused with it

    StepDone& step = pending.event;
    complete(step, closed);
    m_run.ranks.add(step, pending.ownSamples);
    count(step, closed.values);
    const bool overflowed = followLossScale(step);
    RunStates& states = m_run.states;
    states.known = pending.after;
    states.known.lossScale = states.now.lossScale;
    states.known.lastUpdate = states.now.lastUpdate;
    states.known.epoch = states.now.epoch;
    states.known.carried = {};
    if (step.updated || overflowed || m_run.experiment.run.notFinite == NotFinite::Skip)
        states.good = states.known;
    m_events.step(step);
    m_events.memory(pending.after.position, std::move(pending.memory));
    if (!overflowed)
        judge(step);
}

// Refused windows are left out of the sums: their loss would make the whole epoch's mean NaN.
void StepReader::count(const StepDone& step, const WindowValues& values)
{
    RunState& now = m_run.states.now;
    if (step.updated) {
        now.lastUpdate = step.step;
        addTo(now.epoch, values, step.windowSamples, now.carried);
    }
    now.carried = {};
}

// Returns true if the scaled gradient overflowed. That is how the search for the largest usable
// scale works, not a fault of the run, so the window is not judged.
bool StepReader::followLossScale(const StepDone& step)
{
    if (m_run.experiment.run.precision != Precision::Float16)
        return false;
    LossScale& scale = m_run.states.now.lossScale;
    if (step.updated)
        scale.windowApplied();
    if (step.updated || !std::isfinite(step.loss) || !scale.canFall())
        return false;
    scale.windowOverflowed();
    m_events.lossScaleFell(step.step);
    return true;
}

// The host only learns and reports the verdict. The device has refused the update already.
void StepReader::judge(const StepDone& step)
{
    if (step.updated)
        return;
    const Message found = whatIsNotFinite(step);
    if (m_run.experiment.run.notFinite == NotFinite::Skip)
        return m_events.warn(Message("session.window_dropped", { { "reason", found } }));
    m_run.ending.end(RunOutcome::Diverged,
        Message("session.diverged", { { "found", found }, { "last", step.step - 1 } }));
}

void StepReader::endEpoch()
{
    RunState& now = m_run.states.now;
    if (now.cursor.open)
        countOpenWindow();
    m_run.remember(m_events.epochDone(now.epoch));
    now.epoch = {};
    if (now.cursor.open)
        return;
    // A run that fails in the next epoch is resumed behind this one.
    for (RunState* const state : { &m_run.states.known, &m_run.states.good }) {
        state->epoch = {};
        state->ruleValues = now.ruleValues;
    }
}

// Credits this epoch with its samples in a carried window, although a later epoch closes it.
void StepReader::countOpenWindow()
{
    RunState& now = m_run.states.now;
    const WindowValues values = m_run.window->soFar();
    if (!std::isfinite(values.lossSum))
        return; // its window will be refused
    addTo(now.epoch, values, now.cursor.filled, now.carried);
    now.carried = { values.lossSum, values.correct, now.cursor.filled };
}

} // namespace accrue
