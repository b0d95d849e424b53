// SPDX-License-Identifier: Apache-2.0
#include "engine/session/run_checkpoints.h"

#include <exception>
#include <utility>

#include <ATen/ATen.h>

#include "engine/accelerator/accelerators.h"
#include "engine/base/sentences.h"
#include "engine/distributed/rank_states.h"
#include "engine/experiment/recipe.h"
#include "engine/memory/host_scope.h"
#include "engine/session/resume.h"
#include "engine/session/run_failure.h"

namespace accrue {

RunCheckpoints::RunCheckpoints(ActiveRun& run, RunEvents& events, StepReader& steps)
    : m_run(run)
    , m_events(events)
    , m_steps(steps)
{
}

// Everything is checked before the first tensor changes: a checkpoint that does not fit is refused,
// and no half of it is ever trained on.
void RunCheckpoints::restore(const Checkpoint& resumed)
{
    const RunStarted& started = m_run.started;
    checkResumable(
        resumed, m_run.request, m_run.prepared.windows, started.trainSamples, started.data);
    for (Message& warning : resumeWarnings(resumed.data, started.data))
        m_run.prepared.warnings.push_back(std::move(warning));
    const bool isOpen = resumed.state.cursor.open.has_value();
    const int ranks = ranksIn(resumed.tensors);
    if (isOpen && ranks != m_run.world.size())
        throw Error(Message(
            "ranks.other_open_window", { { "saved", ranks }, { "ranks", m_run.world.size() } }));
    const NamedTensors own = stateOf(m_run.world.rank(), resumed.tensors);
    m_run.window->restore(resumed.model, own, isOpen);

    RunStates& states = m_run.states;
    states.now = states.known = states.good = resumed.state;
    states.now.micro = m_run.prepared.windows.micro();
    if (states.now.position.epoch > 0)
        m_run.beginEpoch(states.now.position.epoch);
    if (isOpen)
        reopenWindow(own);
}

// `opened` is computed back from the cursor, because a checkpoint stores only where the run was,
// and an out-of-memory error must still be able to undo the whole window.
void RunCheckpoints::reopenWindow(const NamedTensors& own)
{
    RunStates& states = m_run.states;
    const RunState& now = states.now;
    m_run.window->reopen(m_run.opening(now.cursor.open->samples), now.slicesDone, own);
    states.opened = now;
    states.opened.cursor = m_run.prepared.windows.opening(now.cursor);
    states.opened.position.samples -= now.cursor.filled;
    states.opened.position.microBatches -= now.slicesDone;
}

void RunCheckpoints::begin(const std::filesystem::path& folder)
{
    if (!folder.empty()) {
        requireCheckpointPlace(folder);
        m_store.emplace(folder, m_run.experiment.checkpoint.keep, [this] { m_events.settle(); });
        m_store->removeAfter(m_run.states.now.position.step);
    }
    const at::Tensor isSaved = at::full({ 1 }, m_store.has_value(), at::kBool);
    m_run.world.any(isSaved);
    m_isSaved = isSaved.item<bool>();
    m_begun = true;
}

void RunCheckpoints::saveIfDue()
{
    if (m_run.ending.isOver || !m_isSaved)
        return;
    if (m_store)
        report(m_store->poll());
    const Span& every = m_run.experiment.checkpoint.every;
    RunState& now = m_run.states.now;
    const bool best = m_run.bestIsUnsaved && m_run.experiment.checkpoint.best;
    const bool due = m_run.isDue(every, now.checkpointNext);
    if ((!due && !best) || now.position.step == m_run.started.totalSteps)
        return; // the end of the run saves it anyway
    if (!m_steps.readAll())
        return;
    if (due)
        now.checkpointNext = nextDue(every, m_run.progress());
    if (m_store)
        report(m_store->wait());
    save(best);
    m_run.ranks.begin();
}

// Training does not need the copy that is saved, so it continues if there is no memory for one.
void RunCheckpoints::save(bool best)
{
    const RunState& now = m_run.states.now;
    // What this rank would leave out of a copy that the ranks share, the others wait for.
    const bool isShared =
        m_run.world.size() > 1 && (m_run.window->sharesState() || now.cursor.open);
    bool isCopied = true;
    try {
        if (m_store)
            m_store->save(snapshot(now), best);
        else
            sendTensors(now);
    } catch (...) {
        if (!isOutOfMemory(std::current_exception()) || isShared)
            throw;
        m_events.checkpointFailed(now.position.step, Message("session.no_memory_for_copy"));
        isCopied = false;
    }
    m_run.bestIsUnsaved = m_run.bestIsUnsaved && !isCopiedOnAll(isCopied);
}

// When the best one is due again is decided alike.
bool RunCheckpoints::isCopiedOnAll(bool isCopied) const
{
    if (m_run.world.size() == 1)
        return isCopied;
    const at::Tensor isMissing = at::full({ 1 }, !isCopied, at::kBool);
    m_run.world.any(isMissing);
    return !isMissing.item<bool>();
}

void RunCheckpoints::report(const std::optional<CheckpointStore::Saved>& saved)
{
    if (!saved)
        return;
    if (!saved->problem.empty())
        return m_events.checkpointFailed(saved->step, saved->problem);
    m_run.ending.checkpoint = saved->folder.string();
    m_events.checkpointSaved(saved->step, m_run.ending.checkpoint);
}

// The part of the other ranks in snapshot().
void RunCheckpoints::sendTensors(const RunState& state) const
{
    const HostScope onHost;
    if (m_run.window->sharesState())
        m_run.window->model();
    sharedTensors(state);
}

// What rank 0 saves of all ranks: what they have accumulated of the open window, and their parts of
// the optimizer's state. The others only send it.
NamedTensors RunCheckpoints::sharedTensors(const RunState& state) const
{
    NamedTensors tensors;
    if (m_store || m_run.window->sharesState())
        tensors = clonedToHost(m_run.window->state());
    if (!state.cursor.open)
        return tensors;
    const NamedTensors open = statesOfAll(m_run.world, m_run.window->openState());
    tensors.insert(tensors.end(), open.begin(), open.end());
    return tensors;
}

// The model is as the last update left it, also while a window is open; the gradient and figures
// that the window has accumulated so far are stored beside it. All tensors are copied to the host
// here, on the session's thread: the next window changes the live ones in place while the
// checkpoint thread writes the copies.
Checkpoint RunCheckpoints::snapshot(const RunState& state)
{
    const TrainingWindow& window = *m_run.window;
    const RunStarted& started = m_run.started;
    const HostScope onHost;
    m_events.emitTrace(); // traced values from before the checkpoint are emitted before it
    Checkpoint saved { .state = state,
        .trainSamples = started.trainSamples,
        .data = started.data,
        .threads = started.threads,
        .device = started.device,
        .memoryFormat = started.memoryFormat,
        .recipe = writeRecipe(withDevicesCounted(m_run.experiment)),
        .model = clonedToHost(window.model()),
        .tensors = sharedTensors(state) };
    saved.state.position.seconds = m_run.clock.seconds();
    return saved;
}

void RunCheckpoints::saveAtEnd()
{
    if (!m_isSaved)
        return;
    const HostScope onHost;
    const RunOutcome outcome = m_run.ending.outcome;
    m_run.window->phases().show(Phase::Checkpoint);
    if (m_store)
        report(m_store->wait());
    const bool whole = !isFailure(outcome);
    const RunState& kept = whole ? m_run.states.now : m_run.states.good;
    // The run has failed in the window that it was resumed in. The window has accumulated more than
    // `good` counts, so only the checkpoint that it was resumed from fits that position.
    if (!whole && kept.cursor.open)
        return;
    if (!m_store)
        return sendTensors(kept);
    const Checkpoint saved = snapshot(kept);
    m_store->save(saved, m_run.bestIsUnsaved && m_run.experiment.checkpoint.best);
    const auto result = m_store->wait();
    if (!result->problem.empty())
        throw Error(result->problem);
    report(result);
    // The guard judges what goes into an update. Values that are not finite can then only come from
    // an extreme weight decay or normalisation.
    for (const auto& [name, tensor] : saved.model)
        if (!at::isfinite(tensor).all().item<bool>())
            return m_events.warn(Message("session.model_broken", { { "tensor", name } }));
}

// The result of the last update is worth saving, however the run ended. The window before the one
// that failed may still be unread: either its update is in the parameters, or it diverged and is
// what ended the run. A window enqueued behind the one that diverged was refused, too. Nothing can
// be read from a lost device; the checkpoints saved before remain.
void RunCheckpoints::saveModel()
{
    if (!m_begun) // nothing was trained, and earlier checkpoints must not be replaced
        return;
    RunEnding& ending = m_run.ending;
    const bool failed =
        ending.outcome == RunOutcome::Failed || ending.outcome == RunOutcome::OutOfMemory;
    try {
        if (failed && isLost(m_run.device))
            return report(m_store ? m_store->wait() : std::nullopt);
        if (failed)
            m_run.window->abandon();
        m_steps.readAll();
        saveAtEnd();
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), m_run.device);
        if (!isFailure(ending.outcome))
            ending.outcome = RunOutcome::Failed;
        ending.early = EarlyEnd::None;
        ending.message = followedBy(
            ending.message, Message("session.model_unsaved", { { "problem", failure.message } }));
    }
}

} // namespace accrue
