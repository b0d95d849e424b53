// SPDX-License-Identifier: Apache-2.0
#include "engine/session/session.h"

#include <algorithm>
#include <string>
#include <utility>

#include <ATen/Parallel.h>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/devices.h"
#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/distributed/rank_checks.h"
#include "engine/distributed/shared_cores.h"
#include "engine/events/data_identity.h"
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
    const std::filesystem::path folder = begin(failure);
    try {
        if (failure)
            std::rethrow_exception(failure);
        tellFolder(folder);
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
        m_sharers = ranksOnTheseCores(m_run.world);
        requireAllReady(ownFailure());
        return {};
    } catch (const Error& error) {
        m_run.control.setProgress({});
        throw InputError(lossOr(error.message(), std::current_exception()));
    } catch (...) {
        return std::current_exception();
    }
}

// Why this rank cannot train, or null.
std::exception_ptr Session::ownFailure()
{
    try {
        m_run.device = ownDevice();
        m_scope.emplace(m_run.device);
        prepare();
        return {};
    } catch (...) {
        return std::current_exception();
    }
}

// Each rank of a machine has a CUDA device of its own, unless the recipe names one.
at::Device Session::ownDevice() const
{
    const std::string& asked = m_run.experiment.run.device;
    const at::Device device = resolveDevice(asked);
    const bool isAny = asked == "auto" || asked == "cuda";
    if (!m_run.request.place || device.is_cpu() || !isAny)
        return device;
    // Counted among those that can be used, of which there may be none with the rank's own number.
    std::int64_t before = m_run.request.place->localRank;
    for (const DeviceInfo& info : listDevices())
        if (info.id != "cpu" && before-- == 0)
            return resolveDevice(info.id);
    return resolveDevice("cuda:" + std::to_string(m_run.request.place->localRank));
}

// Where checkpoints are saved: only rank 0 has such a folder. A run of a rank whose machine failed
// begins, too, so that the log has the reason.
std::filesystem::path Session::begin(const std::exception_ptr& failure) const
{
    if (m_run.world.rank() > 0 && !failure)
        return {};
    return m_run.request.begin ? m_run.request.begin() : m_run.request.checkpointFolder;
}

// To the other ranks, which write their own logs there.
void Session::tellFolder(const std::filesystem::path& own)
{
    const std::filesystem::path folder = textOfFirst(m_run.world, own.string());
    if (m_run.request.joined)
        m_run.request.joined(folder);
}

// The order is fixed. The meter comes first, because it counts only what is allocated after it
// began. The budget must limit even the data set. The checkpoint is read before the run is
// prepared, because it decides about the threads and the memory format of a recipe that leaves them
// open.
void Session::prepare()
{
    const std::int64_t planned = m_run.request.resolved.plan.devices;
    if (planned != m_run.world.size())
        throw Error(Message(
            "ranks.other_count", { { "devices", planned }, { "ranks", m_run.world.size() } }));
    describeMachine();
    const Experiment& experiment = m_run.experiment;
    m_run.meter = std::make_unique<MemoryMeter>(m_run.device, experiment.memory.metering);
    if (const auto& budget = experiment.memory.budget)
        m_run.budget = std::make_unique<MemoryBudget>(m_run.device, budget->count);
    const std::optional<Checkpoint> resumed = readResumed();
    m_run.prepared = prepareRun(m_run.request, m_run.device, resumed ? &*resumed : nullptr,
        m_run.started, Purpose::Train, m_sharers);
    makeParts(resumed);
}

// Before the first of them waits for another in a window: whether all can train, and the same
// model.
void Session::requireAllReady(const std::exception_ptr& failure)
{
    requireNoFailure(
        m_run.world, failure ? describeFailure(failure, m_run.device).message : Message());
    if (failure)
        std::rethrow_exception(failure);
    requireAlike(m_run.world, { { Message("ranks.data"), dataIdentityJson(m_run.started.data) } });
    shareThreads();
}

// Ranks that timed their windows may have chosen different counts; a checkpoint stores one, and a
// resumed run has to compute the same bits.
void Session::shareThreads()
{
    int& threads = m_run.started.threads;
    const int first = std::stoi(textOfFirst(m_run.world, std::to_string(threads)));
    if (std::exchange(threads, std::min(first, usableCores())) != threads)
        at::set_num_threads(threads);
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
    m_run.ranks.begin();
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
    m_run.ending.end(described.outcome, lossOr(described.message, failure));
}

// `message`, unless another rank has gone and whoever started it knows better why. Otherwise the
// others, which are about to lose this one, are told.
Message Session::lossOr(const Message& message, const std::exception_ptr& failure) const
{
    try {
        std::rethrow_exception(failure);
    } catch (const LostRank&) {
        const Message loss = m_run.request.lossOfRanks ? m_run.request.lossOfRanks() : Message();
        // A rank that ended by itself may only have noticed before this one who had gone.
        const bool isCause = loss.code() != "ranks.ended" || message.code() == "ranks.lost";
        return loss.empty() || !isCause ? message : loss;
    } catch (...) {
        m_run.world.leave(message);
        return message;
    }
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
        .checkpoint = ending.checkpoint,
        .early = ending.early };
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
