// SPDX-License-Identifier: Apache-2.0
#include "engine/session/session.h"

#include <algorithm>
#include <utility>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/devices.h"
#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/distributed/rank_checks.h"
#include "engine/events/data_identity.h"
#include "engine/experiment/recipe.h"
#include "engine/memory/host_scope.h"
#include "engine/session/resume.h"

namespace accrue {

Session::Session(const TrainRequest& request, RunControl& control, EventSink& events,
    std::optional<std::size_t> mayBeUnread, World& world)
    : m_mayBeUnread(mayBeUnread)
    , m_run(request, control, world)
    , m_events(m_run, events)
{
}

RunEnded Session::run()
{
    m_run.control.setProgress({ Phase::Preparing, 0, 0 });
    const std::exception_ptr failure = preparing();
    const TrainRequest& request = m_run.request;
    const std::filesystem::path folder = request.begin ? request.begin() : request.checkpointFolder;
    try {
        if (failure)
            std::rethrow_exception(failure);
        m_checkpoints->begin(folder);
        announce();
        m_loop->train();
    } catch (...) {
        fail(std::current_exception());
    }
    return end();
}

// Returns the failure of the machine that ended the preparation, or null. Wrong input is thrown
// instead: nothing of the run has begun, so the caller can refuse it as if it had never been tried,
// while a run that the machine failed is logged with its reason.
std::exception_ptr Session::preparing()
{
    try {
        m_run.device = resolveDevice(m_run.experiment.run.device);
        m_scope.emplace(m_run.device);
        prepare();
        return {};
    } catch (const Error& error) {
        m_run.control.setProgress({});
        throw InputError(error.message());
    } catch (...) {
        return std::current_exception();
    }
}

// The order is fixed. The meter comes first, because it counts only what is allocated after it
// began. The budget must limit even the data set. The checkpoint is read before the run is
// prepared, because it decides about the threads and the memory format of a recipe that leaves them
// open.
void Session::prepare()
{
    describeMachine();
    const Experiment& experiment = m_run.experiment;
    m_run.meter = std::make_unique<MemoryMeter>(m_run.device, experiment.memory.metering);
    if (const auto& budget = experiment.memory.budget)
        m_run.budget = std::make_unique<MemoryBudget>(m_run.device, budget->count);
    const std::optional<Checkpoint> resumed = readResumed();
    m_run.prepared =
        prepareRun(m_run.request, m_run.device, resumed ? &*resumed : nullptr, m_run.started);
    requireSameRanks();
    makeParts(resumed);
}

// What would make the ranks train different models, before the first of them waits for another.
void Session::requireSameRanks()
{
    const RunStarted& started = m_run.started;
    if (started.plan.devices != m_run.world.size())
        throw Error(Message("ranks.other_count",
            { { "devices", started.plan.devices }, { "ranks", m_run.world.size() } }));
    if (m_run.world.size() == 1)
        return;
    if (!m_run.prepared.network->named_buffers().is_empty())
        throw Error(Message("ranks.no_batch_norm"));
    requireAlike(m_run.world,
        { { Message("ranks.torch"), started.torchVersion },
            { Message("ranks.recipe"), writeRecipe(m_run.experiment) },
            { Message("ranks.data"), dataIdentityJson(started.data) } });
}

void Session::describeMachine()
{
    m_run.started.device = deviceId(m_run.device);
    m_run.started.deviceName = deviceName(m_run.device);
    const EngineVersions versions = engineVersions();
    m_run.started.torchVersion = versions.torch;
    m_run.started.cudaVersion = versions.cudaBuilt;
}

// Read on the host scope, because a budget on the CPU is one for the run and not for its
// checkpoint.
std::optional<Checkpoint> Session::readResumed()
{
    const std::filesystem::path& from = m_run.request.resumeFrom;
    if (from.empty())
        return {};
    const HostScope onHost;
    m_run.ending.checkpoint = from.string();
    return readCheckpoint(from);
}

void Session::makeParts(const std::optional<Checkpoint>& resumed)
{
    WindowSequence& windows = m_run.prepared.windows;
    const ResidentDataSet& data = m_run.prepared.data;
    const std::int64_t samples = data.train.samples();
    if (resumed)
        windows.cutInto(microToResume(*resumed, m_run.experiment, windows.micro()));
    m_run.order = std::make_unique<EpochOrder>(m_run.experiment, samples, m_run.device);
    m_run.window = std::make_unique<TrainingWindow>(m_run.experiment, *m_run.prepared.network, data,
        std::min(windows.micro(), samples), m_run.control, m_run.meter.get(), m_run.world);
    m_run.failures.emplace(m_run.device);
    m_run.beginStates();
    m_steps.emplace(m_run, m_events, m_mayBeUnread);
    m_checkpoints.emplace(m_run, m_events, *m_steps);
    if (resumed)
        m_checkpoints->restore(*resumed);
    m_loop.emplace(m_run, m_events, *m_steps, *m_checkpoints);
}

void Session::announce()
{
    m_isAnnounced = true; // also if the sink throws, so that end() does not try again
    m_run.clock.start(m_run.states.now.position.seconds);
    m_events.started();
}

void Session::fail(const std::exception_ptr& failure)
{
    MemoryNeed need { .inUse = m_run.meter ? m_run.meter->peakBytes() : 0,
        .budget = m_run.experiment.memory.budget };
    if (m_run.window) { // a micro-batch is never larger than the training set, nor is the advice
        need.micro = std::min(m_run.prepared.windows.micro(), m_run.started.trainSamples);
        need.smallest = !m_run.prepared.windows.finerMicro();
    }
    need.isCertain = m_run.failures && isOutOfMemory(failure, *m_run.failures);
    RunFailure described = describeFailure(failure, m_run.device, need);
    m_run.ending.end(described.outcome, std::move(described.message));
}

// Every run that has begun comes through here, whatever ended it: RunStarted is emitted if it was
// not, the model is saved if there is one worth saving, and RunEnded is the last event.
RunEnded Session::end()
{
    try {
        if (!m_isAnnounced)
            announce();
    } catch (...) {
        fail(std::current_exception());
    }
    if (m_checkpoints)
        m_checkpoints->saveModel();
    RunEnding& ending = m_run.ending;
    if (!ending.checkpoint.empty() && ending.outcome != RunOutcome::Completed)
        ending.message = followedBy(
            ending.message, Message("session.model_saved_in", { { "folder", ending.checkpoint } }));
    m_run.control.setProgress({});
    const RunStates& states = m_run.states;
    RunEnded ended { .outcome = ending.outcome,
        .step = ending.outcome == RunOutcome::Diverged ? states.known.position.step
                                                       : states.now.lastUpdate,
        .samples = states.known.position.samples,
        .microBatches = states.known.position.microBatches,
        .epoch = states.now.position.epoch,
        .seconds = m_run.clock.seconds(),
        .message = ending.message,
        .checkpoint = ending.checkpoint };
    emitEnd(ended);
    return ended;
}

// If the sink fails, the caller learns at least that the run's record lacks its end.
void Session::emitEnd(RunEnded& ended)
{
    try {
        m_events.ended(ended);
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), m_run.device);
        ended.outcome = failure.outcome;
        ended.message = followedBy(
            ended.message, Message("session.end_not_logged", { { "reason", failure.message } }));
    }
}

} // namespace accrue
