// SPDX-License-Identifier: Apache-2.0
#include "engine/training/session.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>

#include "engine/data/sampler.h"
#include "engine/experiment/format.h"
#include "engine/experiment/recipe.h"
#include "engine/memory/allocation_meter.h"
#include "engine/training/accumulator.h"
#include "engine/training/devices.h"
#include "engine/training/evaluation.h"
#include "engine/training/guard.h"
#include "engine/training/optimizer.h"
#include "engine/training/phase_watch.h"
#include "engine/training/run_failure.h"
#include "engine/training/span_due.h"
#include "engine/training/window_metrics.h"

namespace accrue {

// What a window is made with. In this order: gradients are allocated before the optimizer sees
// them.
struct TrainingParts {
    TrainingParts(const Experiment& experiment, const PreparedRun& run, std::int64_t micro,
        RunControl& control)
        : device(run.data.train.images.device())
        , sampler(run.data.train.samples(), experiment.run.seed, experiment.data.shuffle)
        , accumulator(*run.network, run.data, std::min(micro, run.data.train.samples()))
        , optimizer(makeOptimizer(experiment.optimizer, *run.network))
        , guard(*run.network, device, experiment.run.notFinite)
        , metrics(device)
        , watch(device, control)
        , evaluationDue(experiment.run.evaluateEvery)
        // A skipped window changes what the next one does (Optimizer::stepWasRefused), so there it
        // is read at once.
        , readsLate(!device.is_cpu() && experiment.run.notFinite == NotFinite::End ? 1 : 0)
    {
    }

    const at::Device device;
    const Sampler sampler;
    Accumulator accumulator;
    const std::unique_ptr<Optimizer> optimizer;
    Guard guard;
    WindowMetrics metrics;
    PhaseWatch watch;
    SpanDue evaluationDue;
    const std::size_t readsLate; // windows that may be unread when the next one begins
};

Session::Session(const TrainRequest& request, RunControl& control, EventSink& events,
    std::optional<std::size_t> mayBeUnread)
    : m_request(request)
    , m_control(control)
    , m_events(events)
    , m_mayBeUnread(mayBeUnread)
{
    m_started.experiment = request.experiment;
}

Session::~Session() = default;

RunEnded Session::run()
{
    std::optional<c10::OptionalDeviceGuard> deviceGuard;
    try {
        m_control.setProgress({ Phase::Preparing, 0, 0 });
        m_device = resolveDevice(m_request.experiment.run.device);
        deviceGuard.emplace(m_device);
        prepare();
        announce();
        train();
    } catch (...) {
        fail(std::current_exception());
    }
    return end();
}

void Session::prepare()
{
    m_started.device = m_device.str();
    m_started.deviceName = deviceName(m_device);
    const EngineVersions versions = engineVersions();
    m_started.torchVersion = versions.torch;
    m_started.cudaVersion = versions.cudaBuilt;
    if (!m_request.checkpointFolder.empty())
        requireCheckpointPlace(m_request.checkpointFolder);
    m_meter = std::make_unique<AllocationMeter>(m_device);
    m_run = prepareRun(m_request, m_device, m_started);
    m_parts = std::make_unique<TrainingParts>(
        m_request.experiment, m_run, m_started.plan.micro, m_control);
}

void Session::announce()
{
    m_announced = true;
    m_clock.start();
    m_events.emitEvent(m_started);
    for (const Finding& warning : m_run.warnings)
        warn(warning.message);
    const std::int64_t asked = m_request.experiment.run.threads.value_or(m_started.threads);
    if (m_parts && asked > m_started.threads)
        warn("run.threads is " + formatCount(asked) + ", but this process may use "
            + formatCount(m_started.threads) + " cores; it trains with those.");
}

void Session::warn(const std::string& text)
{
    m_events.emitEvent(RunMessage { .severity = RunMessage::Severity::Warning,
        .step = m_known.step,
        .seconds = m_known.seconds,
        .text = text });
}

// The training loop: micro-batches add up a window's gradient, one update a window.
void Session::train()
{
    while (const auto part = nextPart()) {
        if (part->epoch > m_position.epoch)
            beginEpoch(part->epoch);
        if (part->opens())
            openWindow(part->window);
        if (!accumulate(*part))
            return stopHere();
        if (part->closes())
            update(part->window);
        if (m_run.windows.epochIsOver(m_cursor))
            endEpoch();
        evaluateIfDue(/*lastStep=*/m_position.step == m_started.totalSteps);
    }
}

std::optional<WindowPart> Session::nextPart()
{
    if (m_over || m_position.step == m_started.totalSteps)
        return {};
    return m_run.windows.next(m_cursor);
}

void Session::openWindow(const Window& window)
{
    TrainingParts& parts = *m_parts;
    m_meter->resetPeak();
    parts.guard.beginWindow();
    parts.metrics.beginWindow();
    parts.accumulator.beginWindow();
    parts.watch.beginWindow(static_cast<std::uint32_t>(m_run.windows.microBatches(window)));
    m_slicesDone = 0;
}

bool Session::accumulate(const WindowPart& part)
{
    TrainingParts& parts = *m_parts;
    for (const Slice& slice : m_run.windows.slices(part)) {
        if (!goesOn())
            return false;
        parts.watch.enterSlice(++m_slicesDone);
        parts.accumulator.add(m_order, slice, parts.metrics, parts.watch);
        parts.watch.keepPace();
        m_cursor = m_run.windows.advanced(m_cursor, part, slice.samples);
        m_position.samples += slice.samples;
        ++m_position.microBatches;
    }
    return true;
}

void Session::update(const Window& window)
{
    TrainingParts& parts = *m_parts;
    parts.watch.enter(Phase::Optimizer);
    m_position.step = m_cursor.updates;
    const double rate = takeLearningRate(m_position.step, window);
    parts.metrics.gradientNorm().copy_(at::linalg_vector_norm(parts.accumulator.flatGradient()));
    parts.optimizer->step(rate, parts.guard.judge(parts.metrics));
    parts.metrics.endWindow();
    parts.watch.endWindow();

    m_position.seconds = m_clock.seconds();
    m_pending.push_back({ .event = { .step = m_position.step,
                              .epoch = m_position.epoch,
                              .samples = m_position.samples,
                              .microBatches = m_position.microBatches,
                              .seconds = m_position.seconds,
                              .windowSamples = window.samples,
                              .learningRate = rate,
                              .peakBytes = m_meter->peakBytes() },
        .position = m_position });
    readSteps(m_mayBeUnread.value_or(parts.readsLate));
}

void Session::beginEpoch(std::int64_t epoch)
{
    m_position.epoch = epoch;
    m_epoch = {};
    std::vector<std::int64_t> order = m_parts->sampler.epochOrder(epoch);
    const auto count = static_cast<std::int64_t>(order.size());
    m_order = at::from_blob(order.data(), { count }, at::kLong)
                  .to(m_device, at::kLong, /*non_blocking=*/false, /*copy=*/true);
}

void Session::endEpoch()
{
    readSteps(0);
    if (m_over)
        return;
    if (m_cursor.open) {
        takeCarriedSamples();
        m_parts->watch.enter(Phase::Paused); // what comes before its next slice is not its time
    }
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const auto samples = static_cast<double>(m_epoch.samples);
    const bool updated = m_epoch.samples > 0;
    m_events.emitEvent(EpochDone { .epoch = m_position.epoch,
        .step = m_position.step,
        .samples = m_position.samples,
        .microBatches = m_position.microBatches,
        .seconds = m_clock.seconds(),
        .trainLoss = updated ? m_epoch.loss / samples : kNone,
        .trainAccuracy = updated ? static_cast<double>(m_epoch.correct) / samples : kNone });
}

// What this epoch gave to a window that the next one closes counts in this epoch.
void Session::takeCarriedSamples()
{
    const WindowValues values = m_parts->metrics.soFar();
    if (!std::isfinite(values.lossSum))
        return; // its window will be refused
    m_epoch.loss += values.lossSum - m_carried.loss;
    m_epoch.correct += values.correct - m_carried.correct;
    m_epoch.samples += m_cursor.filled - m_carried.samples;
    m_carried = { values.lossSum, values.correct, m_cursor.filled };
}

double Session::takeLearningRate(std::int64_t step, const Window& window)
{
    const double factor = m_control.learningRateFactor();
    const double asked = m_run.schedule.rateOf(step) * factor
        * rateFactor(m_request.experiment.optimizer.lrRule, window.steps, m_started.plan.steps);
    const double rate = std::min(asked, kLargestLearningRate);
    if (factor == m_factor)
        return rate;
    m_factor = factor;
    readSteps(0); // events stay in the order of their steps
    m_events.emitEvent(LearningRateChanged {
        .step = step, .seconds = m_clock.seconds(), .factor = factor, .learningRate = rate });
    return rate;
}

bool Session::goesOn()
{
    if (m_control.pauseRequested() && !m_control.stopRequested())
        pauseHere();
    return !m_control.stopRequested();
}

void Session::pauseHere()
{
    readSteps(0);
    m_clock.pause();
    m_parts->watch.enter(Phase::Paused);
    m_events.emitEvent(RunPaused { .step = m_position.step, .seconds = m_clock.seconds() });
    m_control.waitWhilePaused();
    m_clock.resume();
    m_events.emitEvent(RunResumed { .step = m_position.step, .seconds = m_clock.seconds() });
}

void Session::readSteps(std::size_t mayWait)
{
    while (m_pending.size() > mayWait)
        readOldestStep();
}

void Session::readOldestStep()
{
    PendingStep pending = m_pending.front();
    m_pending.pop_front();
    const WindowValues values = m_parts->metrics.read();
    const PartTimes times = m_parts->watch.read();
    if (values.refused)
        m_parts->optimizer->stepWasRefused();
    if (m_outcome == RunOutcome::Diverged)
        return; // enqueued behind the step that diverged, and refused with it

    StepDone& step = pending.event;
    step.loss = values.lossSum / static_cast<double>(step.windowSamples);
    step.gradientNorm = values.gradientNorm;
    step.stepMs = times.stepMs;
    step.dataMs = times.dataMs;
    step.forwardMs = times.forwardMs;
    step.backwardMs = times.backwardMs;
    step.optimizerMs = times.optimizerMs;
    step.updated = !values.refused;
    m_known = pending.position;
    if (step.updated) {
        m_lastUpdate = step.step;
        m_epoch.loss += values.lossSum - m_carried.loss;
        m_epoch.correct += values.correct - m_carried.correct;
        m_epoch.samples += step.windowSamples - m_carried.samples;
    }
    m_carried = {};
    if (step.updated || m_request.experiment.run.notFinite == NotFinite::Skip)
        m_resumable = pending.position;
    m_events.emitEvent(step);
    judge(step);
}

void Session::judge(const StepDone& step)
{
    if (step.updated)
        return;
    const std::string found = "The " + std::string(std::isfinite(step.loss) ? "gradient" : "loss")
        + " of step " + formatCount(step.step) + " is not finite";
    if (m_request.experiment.run.notFinite == NotFinite::Skip)
        return warn(found + "; its window was dropped and training goes on.");
    m_over = true;
    m_outcome = RunOutcome::Diverged;
    m_message = found + "; the parameters are those of step " + formatCount(step.step - 1)
        + ". A smaller optimizer.lr or a warm-up (schedule.warmup_steps) usually helps.";
}

void Session::evaluateIfDue(bool lastStep)
{
    const RunProgress progress { epochsDone(), m_position.step, m_clock.seconds() };
    if (m_over || !(lastStep || m_parts->evaluationDue.reached(progress)))
        return;
    readSteps(0);
    if (m_over)
        return;
    evaluateNow();
    m_parts->evaluationDue.done(progress);
}

void Session::evaluateNow()
{
    m_parts->watch.tell(Phase::Evaluation);
    const double secondsBefore = m_clock.seconds();
    const auto result =
        evaluate(*m_run.network, m_run.data, m_request.experiment.run.evaluationBatch, [this] {
            m_parts->watch.keepPace();
            const bool on = goesOn();
            m_parts->watch.tell(Phase::Evaluation); // a pause said otherwise
            return on;
        });
    if (!result)
        return stopHere();
    const double seconds = m_clock.seconds();
    m_events.emitEvent(Evaluated { .epoch = m_position.epoch,
        .step = m_position.step,
        .samples = m_position.samples,
        .microBatches = m_position.microBatches,
        .seconds = seconds,
        .testLoss = result->loss,
        .testAccuracy = result->accuracy,
        .evaluationMs = 1000 * (seconds - secondsBefore) });
}

double Session::epochsDone() const
{
    return static_cast<double>(m_cursor.epoch - 1)
        + static_cast<double>(m_cursor.offset) / static_cast<double>(m_started.trainSamples);
}

// The model stays what the last update made it.
void Session::abandonWindow()
{
    m_parts->guard.giveUpWindow();
    m_parts->watch.abandonWindow();
}

void Session::stopHere()
{
    abandonWindow();
    readSteps(0);
    if (m_over)
        return;
    m_over = true;
    m_outcome = RunOutcome::Stopped;
    m_message = "Stopped as asked after step " + formatCount(m_position.step) + " of "
        + formatCount(m_started.totalSteps) + ", in epoch " + formatCount(m_position.epoch)
        + "; a window that was not complete is not applied.";
}

void Session::fail(const std::exception_ptr& failure)
{
    const RunFailure described = describeFailure(failure, m_device, m_started.plan.micro);
    m_over = true;
    m_outcome = described.outcome;
    m_message = described.message;
}

void Session::saveCheckpoint()
{
    if (m_request.checkpointFolder.empty() || !m_parts)
        return;
    m_parts->watch.tell(Phase::Checkpoint);
    writeCheckpoint(m_request.checkpointFolder,
        { .position = m_resumable,
            .recipe = writeRecipe(m_request.experiment),
            .learningRateFactor = m_factor,
            .model = namedState(*m_run.network),
            .optimizer = m_parts->optimizer->state() });
    m_checkpoint = m_request.checkpointFolder.string();
    m_events.emitEvent(CheckpointSaved {
        .step = m_resumable.step, .seconds = m_clock.seconds(), .folder = m_checkpoint });
    warnOfBrokenModel();
}

// The guard judges what goes into an update; only a decay or a normalisation beyond reason makes
// values that are not finite of it.
void Session::warnOfBrokenModel()
{
    for (const auto& [name, tensor] : namedState(*m_run.network))
        if (!at::isfinite(tensor.cpu()).all().item<bool>())
            return warn("The saved model is of no use: " + name
                + " holds values that are not finite. A smaller optimizer.lr or "
                  "optimizer.weight_decay usually helps.");
}

// What the last update made is worth keeping, however the run ended, and the window before the one
// that failed may still be unread: its update is in the parameters, or it diverged and is what
// ended the run. A device that has failed for good says so again here; then there is nothing to
// keep.
void Session::rescue()
{
    try {
        m_parts->guard.giveUpWindow();
        readSteps(0);
        saveCheckpoint();
    } catch (...) {
        m_message += " The model could not be saved.";
    }
}

void Session::keepModel()
{
    if (!m_parts)
        return;
    if (m_outcome == RunOutcome::Failed || m_outcome == RunOutcome::OutOfMemory)
        return rescue();
    try {
        saveCheckpoint();
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), m_device, 0);
        m_outcome = m_outcome == RunOutcome::Diverged ? m_outcome : RunOutcome::Failed;
        m_message +=
            (m_message.empty() ? "" : " ") + ("The model could not be saved: " + failure.message);
    }
}

RunEnded Session::end()
{
    try {
        if (!m_announced)
            announce();
    } catch (...) {
        fail(std::current_exception());
    }
    keepModel();
    if (!m_checkpoint.empty() && m_outcome != RunOutcome::Completed)
        m_message += " The model is in \"" + m_checkpoint + "\".";
    m_control.setProgress({});
    RunEnded ended { .outcome = m_outcome,
        .step = m_outcome == RunOutcome::Diverged ? m_known.step : m_lastUpdate,
        .samples = m_known.samples,
        .microBatches = m_known.microBatches,
        .epoch = m_position.epoch,
        .seconds = m_clock.seconds(),
        .message = m_message,
        .checkpoint = m_checkpoint };
    tellEnd(ended);
    return ended;
}

// Where nobody could be told, the caller learns at least that the run's record lacks its end.
void Session::tellEnd(RunEnded& ended)
{
    try {
        m_events.emitEvent(ended);
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), m_device, 0);
        ended.outcome = failure.outcome;
        ended.message += (ended.message.empty() ? "" : " ")
            + ("The end of the run could not be told: " + failure.message);
    }
}

} // namespace accrue
