// SPDX-License-Identifier: Apache-2.0
#include "engine/training/session.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <ATen/ATen.h>

#include "engine/accelerator/accelerators.h"
#include "engine/door/engine_error.h"
#include "engine/events/data_difference.h"
#include "engine/experiment/format.h"
#include "engine/experiment/recipe.h"
#include "engine/memory/host_scope.h"
#include "engine/memory/memory_budget.h"
#include "engine/memory/memory_meter.h"
#include "engine/training/devices.h"
#include "engine/training/gradient_norm.h"
#include "engine/training/resume.h"
#include "engine/training/run_failure.h"
#include "engine/training/training_parts.h"

namespace accrue {
namespace {

// As memoryPhaseName has it; outside of a window's phases its data.
std::string phaseName(Phase phase)
{
    if (phase == Phase::Forward)
        return memoryPhaseName(MemoryPhase::Forward);
    if (phase == Phase::Backward)
        return memoryPhaseName(MemoryPhase::Backward);
    return memoryPhaseName(phase == Phase::Optimizer ? MemoryPhase::Optimizer : MemoryPhase::Data);
}

} // namespace

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
    m_control.setProgress({ Phase::Preparing, 0, 0 });
    const std::exception_ptr failure = preparing();
    const std::string wrong = wrongInputIn(failure);
    if (!wrong.empty()) {
        m_control.setProgress({});
        throw InputError(wrong);
    }
    const std::filesystem::path folder =
        m_request.begin ? m_request.begin() : m_request.checkpointFolder;
    try {
        if (failure)
            std::rethrow_exception(failure);
        saveIn(folder);
        announce();
        train();
    } catch (...) {
        fail(std::current_exception());
    }
    return end();
}

// What kept the run from being prepared; null: nothing.
std::exception_ptr Session::preparing()
{
    try {
        m_device = resolveDevice(m_request.experiment.run.device);
        m_scope.emplace(m_device);
        prepare();
        return {};
    } catch (...) {
        return std::current_exception();
    }
}

void Session::saveIn(const std::filesystem::path& folder)
{
    if (!folder.empty()) {
        requireCheckpointPlace(folder);
        m_checkpoints.emplace(
            folder, m_request.experiment.checkpoint.keep, [this] { m_events.settle(); });
        m_checkpoints->removeAfter(m_state.position.step);
    }
    m_begun = true;
}

void Session::prepare()
{
    m_started.device = deviceId(m_device);
    m_started.deviceName = deviceName(m_device);
    const EngineVersions versions = engineVersions();
    m_started.torchVersion = versions.torch;
    m_started.cudaVersion = versions.cudaBuilt;
    m_meter = std::make_unique<MemoryMeter>(m_device, m_request.experiment.memory.metering);
    if (const auto& budget = m_request.experiment.memory.budget)
        m_budget = std::make_unique<MemoryBudget>(m_device, budget->count);
    if (!m_request.resumeFrom.empty()) {
        const HostScope onHost;
        m_resumed = readCheckpoint(m_checkpoint = m_request.resumeFrom.string());
    }
    std::optional<ComputedWith> computed;
    if (m_resumed)
        computed = { m_resumed->threads, m_resumed->memoryFormat, m_resumed->data };
    m_run = prepareRun(m_request, m_device, computed, m_started);
    if (m_resumed)
        keepCut();
    m_parts = std::make_unique<TrainingParts>(m_request, m_run, m_control, *m_meter);
    m_retries.emplace(allocationRetries(m_device));
    m_failures.emplace(m_device);
    m_evaluationBatch = m_request.experiment.run.evaluationBatch;
    m_state.best = -1;
    m_state.micro = m_run.windows.micro();
    if (m_request.experiment.run.precision == Precision::Float16)
        m_state.lossScale.value = LossScale::kFirst;
    m_state.evaluationNext = m_parts->evaluationDue.next();
    m_state.checkpointNext = m_parts->checkpointDue.next();
    m_known = m_good = m_state;
    if (m_resumed)
        restore();
}

// What was too large once is too large again, unless another cut or budget was asked for; a window
// that is open was begun with it.
void Session::keepCut()
{
    const Experiment saved = parseRecipe(m_resumed->recipe, "checkpoint").experiment;
    const Experiment& asked = m_request.experiment;
    const std::int64_t micro = m_resumed->state.micro;
    const bool asBefore =
        m_resumed->state.cursor.open || saved.memory.budget == asked.memory.budget;
    if (micro > 0 && asBefore && saved.batch == asked.batch)
        m_run.windows.cutInto(std::min(micro, m_run.windows.micro()));
}

// Everything is checked before anything is changed.
void Session::restore()
{
    TrainingParts& parts = *m_parts;
    checkResumable(*m_resumed, m_request, m_run.windows, m_started.trainSamples, m_started.data);
    warnOfData();
    const NamedTensors model = namedState(*m_run.network);
    m_run.network->beginWindow(1); // makes what an open window holds
    const NamedTensors savedWindow = tensorsBelow(m_resumed->tensors, "window.");
    const NamedTensors window = m_resumed->state.cursor.open ? parts.window() : NamedTensors {};
    const NamedTensors average = parts.average ? parts.average->state() : NamedTensors {};
    const NamedTensors savedAverage = tensorsBelow(m_resumed->tensors, "ema.");
    checkSameLayout(model, m_resumed->model, "The checkpoint's model");
    checkSameLayout(window, savedWindow, "The checkpoint's open window");
    checkSameLayout(average, savedAverage, "The checkpoint's average of the parameters");
    parts.optimizer->restore(tensorsBelow(m_resumed->tensors, "optimizer."));

    copyValues(model, m_resumed->model);
    copyValues(average, savedAverage);
    m_state = m_known = m_good = m_resumed->state;
    m_state.micro = m_run.windows.micro();
    m_control.setLearningRateFactor(m_state.factor);
    parts.evaluationDue.setNext(m_state.evaluationNext);
    parts.checkpointDue.setNext(m_state.checkpointNext);
    m_epochsTold = m_state.cursor.epoch - (m_run.windows.epochIsOver(m_state.cursor) ? 0 : 1);
    if (m_state.position.epoch > 0)
        beginEpoch(m_state.position.epoch);
    if (m_state.cursor.open) {
        const std::uint32_t slices = m_state.slicesDone;
        openWindow(m_state.cursor.open->samples);
        parts.watch.enter(Phase::Paused); // what comes before its next slice is not its time
        m_opened = m_state;
        m_opened.cursor = m_run.windows.opening(m_state.cursor);
        m_opened.position.samples -= m_state.cursor.filled;
        m_opened.position.microBatches -= slices;
        m_state.slicesDone = slices;
        parts.restoreWindow(window, savedWindow);
    }
    m_resumed.reset();
}

// What does not keep the run from going on.
void Session::warnOfData()
{
    const bool known = m_resumed->data.isKnown();
    const std::vector<std::string> warnings = known
        ? evaluatedPartWarnings(m_resumed->data, m_started.data)
        : std::vector<std::string> { kDataNotStored };
    for (const std::string& warning : warnings)
        m_run.warnings.push_back(
            { .severity = Finding::Severity::Warning, .key = "data", .message = warning });
}

void Session::announce()
{
    m_announced = true;
    m_clock.start(m_state.position.seconds);
    m_events.emitEvent(m_started);
    if (m_parts && m_run.windows.micro() < m_started.plan.micro)
        tellKeptCut();
    for (const Finding& warning : m_run.warnings)
        warn(warning.message);
    const std::int64_t asked = m_request.experiment.run.threads.value_or(m_started.threads);
    if (m_parts && asked > m_started.threads)
        warn("run.threads is " + formatCount(asked) + ", but this process may use "
            + formatCount(m_started.threads) + " cores; it trains with those.");
}

void Session::warn(const std::string& text)
{
    tell(RunMessage::Severity::Warning, text);
}

void Session::tell(RunMessage::Severity severity, const std::string& text)
{
    m_events.emitEvent(RunMessage { .severity = severity,
        .step = m_known.position.step,
        .seconds = m_known.position.seconds,
        .text = text });
}

// The training loop: micro-batches add up a window's gradient, one update a window.
void Session::train()
{
    evaluateIfDue(); // a run may have been stopped while it evaluated
    checkpointIfDue();
    while (const auto part = nextPart()) {
        if (!compute(*part))
            continue; // memory was short: the window opens again and takes smaller
                      // micro-batches
        if (m_run.windows.epochIsOver(m_state.cursor))
            endEpoch();
        evaluateIfDue();
        checkpointIfDue();
        stopAfterUpdates();
    }
}

void Session::stopAfterUpdates()
{
    const std::int64_t last = m_request.stopAfter;
    const std::int64_t step = m_state.position.step;
    if (last > 0 && step >= last && step < m_started.totalSteps)
        stopHere();
}

bool Session::compute(const WindowPart& part)
{
    try {
        m_failures->begin();
        if (part.opens())
            m_opened = m_state;
        if (part.epoch != m_orderEpoch)
            beginEpoch(part.epoch);
        if (part.opens())
            openWindow(part.window.samples);
        if (!accumulate(part))
            stopHere();
        else if (part.closes())
            update(part.window);
        return true;
    } catch (...) {
        const std::exception_ptr failure = std::current_exception();
        if (m_updating || !isOutOfMemory(failure, *m_failures) || !m_run.windows.finerMicro())
            throw;
    }
    cutFiner(part.epoch); // what was thrown is gone, and with it what it may have held
    return false;
}

// The window begins again as if it had never been begun: no sample was computed, nothing of it
// reached parameters, buffers, optimizer or log.
void Session::cutFiner(std::int64_t epoch)
{
    TrainingParts& parts = *m_parts;
    m_failures->attemptFailed();
    readSteps(0);
    if (m_over)
        return;
    const std::int64_t before = m_run.windows.micro();
    const std::int64_t micro = *m_run.windows.finerMicro();
    parts.guard.giveUpWindow();
    parts.watch.abandonWindow();
    m_traced = {};
    m_state.cursor = m_opened.cursor;
    m_state.position = m_opened.position;
    m_orderEpoch = 0; // its order is drawn again, with what belongs to it
    m_run.windows.cutInto(micro);
    m_state.micro = m_known.micro = m_good.micro = micro;
    parts.accumulator.holdSlices(std::min(micro, m_started.trainSamples));
    releaseCached(m_device);
    m_retries.emplace(allocationRetries(m_device));
    tellFinerCut(epoch, before, phaseName(m_control.progress().phase));
}

void Session::tellFinerCut(std::int64_t epoch, std::int64_t before, const std::string& phase)
{
    const std::int64_t micro = m_run.windows.micro();
    const std::int64_t step = m_state.cursor.updates + 1;
    m_events.emitEvent(OutOfMemory { .step = step,
        .epoch = epoch,
        .seconds = m_clock.seconds(),
        .fromMicro = before,
        .toMicro = micro,
        .phase = phase,
        .text = "Memory was short for micro-batches of " + formatCount(before) + " samples in step "
            + formatCount(step) + "; it begins again with " + formatCount(micro)
            + ", and the effective batch stays." });
}

void Session::tellKeptCut()
{
    const std::int64_t micro = m_run.windows.micro();
    m_events.emitEvent(OutOfMemory { .step = m_state.position.step,
        .epoch = m_state.position.epoch,
        .seconds = m_clock.seconds(),
        .fromMicro = m_started.plan.micro,
        .toMicro = micro,
        .phase = {},
        .text = "Memory was short for micro-batches of " + formatCount(m_started.plan.micro)
            + " samples before; the run goes on with " + formatCount(micro)
            + ", and the effective batch stays." });
}

std::optional<WindowPart> Session::nextPart()
{
    if (m_over || m_state.position.step >= m_started.totalSteps)
        return {};
    return m_run.windows.next(m_state.cursor);
}

void Session::openWindow(std::int64_t samples)
{
    TrainingParts& parts = *m_parts;
    const std::int64_t microBatches = m_run.windows.microBatches(m_state.cursor);
    m_meter->beginWindow(m_run.windows.micro(), samples);
    parts.watch.beginWindow(static_cast<std::uint32_t>(microBatches));
    parts.guard.beginWindow();
    parts.metrics.beginWindow();
    parts.accumulator.beginWindow(m_state.lossScale.value);
    m_run.network->beginWindow(microBatches);
    m_state.slicesDone = 0;
}

bool Session::accumulate(const WindowPart& part)
{
    TrainingParts& parts = *m_parts;
    for (const Slice& slice : m_run.windows.slices(part)) {
        if (!goesOn())
            return false;
        parts.watch.enterSlice(++m_state.slicesDone, slice.samples);
        parts.accumulator.add(m_order, slice, parts.metrics, parts.watch);
        parts.watch.keepPace();
        m_state.cursor = m_run.windows.advanced(m_state.cursor, part, slice.samples);
        m_state.position.samples += slice.samples;
        ++m_state.position.microBatches;
        if (m_state.cursor.open)
            traceParameter();
    }
    return true;
}

void Session::update(const Window& window)
{
    TrainingParts& parts = *m_parts;
    parts.watch.enter(Phase::Optimizer);
    m_run.network->endWindow();
    parts.accumulator.endWindow();
    m_state.position.step = m_state.cursor.updates;
    const double rate = takeLearningRate(m_state.position.step, window);
    const at::Tensor& gradient = parts.accumulator.flatGradient();
    parts.metrics.gradientNorm().copy_(gradientNorm(gradient));
    parts.clipping.apply(gradient, parts.metrics.gradientNorm());
    const at::Tensor& refused = parts.guard.judge(parts.metrics);
    m_updating = true; // from here on the window cannot be repeated, so nothing may be allocated
    parts.optimizer->step(rate, refused);
    if (parts.average)
        parts.average->update(refused);
    parts.metrics.endWindow();
    parts.watch.endWindow();

    m_state.position.seconds = m_clock.seconds();
    traceParameter();
    tellTrace();
    m_pending.push_back({ .event = { .step = m_state.position.step,
                              .epoch = m_state.position.epoch,
                              .samples = m_state.position.samples,
                              .microBatches = m_state.position.microBatches,
                              .seconds = m_state.position.seconds,
                              .windowSamples = window.samples,
                              .learningRate = rate,
                              .peakBytes = m_meter->peakBytes() },
        .memory = m_meter->endWindow(),
        .after = m_state });
    readSteps(m_mayBeUnread.value_or(parts.readsLate));
    m_updating = false;
    if (m_budget && !std::exchange(m_recounted, true))
        m_budget->recount();
    warnOfRetries();
    warnOfOtherAlgorithm();
}

void Session::warnOfOtherAlgorithm()
{
    if (m_failures->passedOver())
        warn("There was no memory for a convolution's workspace, so cuDNN used another algorithm "
             "from step "
            + formatCount(m_state.position.step)
            + " on; results may differ in the last bits from those of a run that had the memory.");
}

// Before it fails.
void Session::warnOfRetries()
{
    if (m_retries->windowEnded(allocationRetries(m_device)))
        warn("Memory is nearly full: in " + formatCount(RetryWatch::kPatience)
            + " windows up to step " + formatCount(m_state.position.step)
            + " the allocator gave back what it kept and asked again, "
            + formatCount(m_retries->retries())
            + " times in all. That takes time, and a little more runs out; "
            + (m_run.windows.finerMicro()
                    ? "a batch.micro below " + formatCount(m_run.windows.micro())
                    : std::string("a smaller model"))
            + " leaves room.");
}

// As the micro-batch that is done left it: in the middle of a window as it was before.
void Session::traceParameter()
{
    if (!m_parts->trace)
        return;
    TracedMicroBatch traced = m_parts->trace->look();
    traced.samples = m_state.position.samples;
    traced.microBatches = m_state.position.microBatches;
    traced.seconds = m_clock.seconds();
    m_traced.microBatches.push_back(std::move(traced));
}

void Session::tellTrace()
{
    if (m_traced.microBatches.empty())
        return;
    m_traced.step = m_state.cursor.updates + (m_state.cursor.open ? 1 : 0);
    m_traced.epoch = m_state.position.epoch;
    m_events.emitEvent(std::exchange(m_traced, {}));
}

void Session::beginEpoch(std::int64_t epoch)
{
    m_augmentation =
        augmentationOf(m_request.experiment.data.augment, m_request.experiment.run.seed, epoch);
    m_parts->accumulator.setAugmentation(m_augmentation);
    std::vector<std::int64_t> order = m_parts->sampler.epochOrder(epoch);
    const auto count = static_cast<std::int64_t>(order.size());
    m_order = at::from_blob(order.data(), { count }, at::kLong)
                  .to(m_device, at::kLong, /*non_blocking=*/false, /*copy=*/true);
    ownMemory(m_order, MemoryCategory::Workspace, "order of samples");
    m_state.position.epoch = epoch;
    m_orderEpoch = epoch;
}

void Session::endEpoch()
{
    readSteps(0);
    if (m_over)
        return;
    if (m_state.cursor.open)
        m_parts->watch.enter(Phase::Paused); // what comes before its next slice is not its time
    if (m_state.position.epoch > m_epochsTold) // otherwise a carried window was begun again
        tellEpoch();
}

void Session::tellEpoch()
{
    if (m_state.cursor.open)
        takeCarriedSamples();
    m_epochsTold = m_state.position.epoch;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const auto samples = static_cast<double>(m_state.epoch.samples);
    const bool updated = m_state.epoch.samples > 0;
    m_events.emitEvent(EpochDone { .epoch = m_state.position.epoch,
        .step = m_state.position.step,
        .samples = m_state.position.samples,
        .microBatches = m_state.position.microBatches,
        .seconds = m_clock.seconds(),
        .trainLoss = updated ? m_state.epoch.loss / samples : kNone,
        .trainAccuracy = updated ? static_cast<double>(m_state.epoch.correct) / samples : kNone });
    m_state.epoch = {};
}

// What this epoch gave to a window that the next one closes counts in this epoch.
void Session::takeCarriedSamples()
{
    const WindowValues values = m_parts->metrics.soFar();
    if (!std::isfinite(values.lossSum))
        return; // its window will be refused
    m_state.epoch.loss += values.lossSum - m_state.carried.loss;
    m_state.epoch.correct += values.correct - m_state.carried.correct;
    m_state.epoch.samples += m_state.cursor.filled - m_state.carried.samples;
    m_state.carried = { values.lossSum, values.correct, m_state.cursor.filled };
}

double Session::takeLearningRate(std::int64_t step, const Window& window)
{
    const double factor = m_control.learningRateFactor();
    const double asked = m_run.schedule.rateOf(step) * factor
        * rateFactor(m_request.experiment.optimizer.lrRule, window.steps, m_started.plan.steps);
    const double rate = std::min(asked, kLargestLearningRate);
    if (factor == m_state.factor)
        return rate;
    m_state.factor = factor;
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
    m_events.emitEvent(RunPaused { .step = m_state.position.step, .seconds = m_clock.seconds() });
    m_control.waitWhilePaused();
    m_clock.resume();
    m_events.emitEvent(RunResumed { .step = m_state.position.step, .seconds = m_clock.seconds() });
}

void Session::readSteps(std::size_t mayWait)
{
    while (m_pending.size() > mayWait)
        readOldestStep();
}

void Session::readOldestStep()
{
    PendingStep pending = std::move(m_pending.front());
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
    if (step.updated) {
        m_state.lastUpdate = step.step;
        m_state.epoch.loss += values.lossSum - m_state.carried.loss;
        m_state.epoch.correct += values.correct - m_state.carried.correct;
        m_state.epoch.samples += step.windowSamples - m_state.carried.samples;
    }
    m_state.carried = {};
    const bool overflowed = followLossScale(step);
    m_known = pending.after;
    m_known.lossScale = m_state.lossScale;
    m_known.lastUpdate = m_state.lastUpdate;
    m_known.epoch = m_state.epoch;
    m_known.carried = {};
    if (step.updated || overflowed || m_request.experiment.run.notFinite == NotFinite::Skip)
        m_good = m_known;
    m_events.emitEvent(step);
    tellMemory(pending.after.position, std::move(pending.memory));
    if (!overflowed)
        judge(step);
}

void Session::tellMemory(const Position& at, std::vector<PhaseMemory> phases)
{
    if (!phases.empty())
        m_events.emitEvent(MemoryMeasured { .step = at.step,
            .epoch = at.epoch,
            .seconds = at.seconds,
            .phases = std::move(phases) });
}

// True: the scaled gradient overflowed, which is no fault of the run.
bool Session::followLossScale(const StepDone& step)
{
    if (m_request.experiment.run.precision != Precision::Float16)
        return false;
    if (step.updated)
        m_state.lossScale.windowApplied();
    if (step.updated || !std::isfinite(step.loss) || !m_state.lossScale.canFall())
        return false;
    m_state.lossScale.windowOverflowed();
    tell(RunMessage::Severity::Information,
        "The scaled gradient of step " + formatCount(step.step)
            + " overflowed float16; its window was dropped and the loss scale is now "
            + formatCount(static_cast<std::int64_t>(m_state.lossScale.value)) + ".");
    return true;
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

RunProgress Session::progress() const
{
    return { epochsDone(), m_state.position.step, m_clock.seconds() };
}

void Session::evaluateIfDue()
{
    const RunProgress now = progress();
    const std::int64_t step = m_state.position.step;
    // A run that was cut off as it ended has its last evaluation.
    const bool last = step == m_started.totalSteps && step != m_state.lastEvaluation;
    const bool due = last || m_parts->evaluationDue.reached(now);
    if (m_over || !due || step == 0)
        return;
    readSteps(0);
    if (m_over || !evaluateNow())
        return;
    m_parts->evaluationDue.done(now);
    m_state.evaluationNext = m_parts->evaluationDue.next();
    m_state.lastEvaluation = step;
}

// False: it was stopped.
bool Session::evaluateNow()
{
    m_parts->watch.tell(Phase::Evaluation);
    m_meter->beginEvaluation();
    const double secondsBefore = m_clock.seconds();
    std::optional<AveragedWeights> averaged;
    if (m_parts->average)
        averaged.emplace(*m_parts->average);
    const bool ready = !m_request.experiment.model.batchnormPrecise || makeStatisticsPrecise();
    const auto& heldOut = m_run.data.validation;
    const auto test = ready ? evaluated(m_run.data.test) : std::nullopt;
    const auto validation = test && heldOut ? evaluated(*heldOut) : std::nullopt;
    averaged.reset();
    const std::int64_t largest =
        std::max(m_run.data.test.samples(), heldOut ? heldOut->samples() : 0);
    std::vector<PhaseMemory> memory = m_meter->endEvaluation(std::min(m_evaluationBatch, largest));
    if (!test || (heldOut && !validation)) {
        stopHere();
        return false;
    }
    tellEvaluation(*test, validation, secondsBefore);
    tellMemory(m_state.position, std::move(memory));
    if (m_budget && !std::exchange(m_recountedEvaluation, true))
        m_budget->recount();
    warnOfOtherAlgorithm();
    return true;
}

// Calls `pass` with half of `samples` as often as memory is short for it.
template <typename Pass>
auto Session::inSmallerPasses(std::int64_t& samples, std::int64_t fewest, const Pass& pass)
{
    while (true) {
        m_failures->begin();
        try {
            return pass();
        } catch (...) {
            if (!isOutOfMemory(std::current_exception(), *m_failures) || samples <= fewest)
                throw;
        }
        m_failures->attemptFailed();
        const std::int64_t before = std::exchange(samples, std::max((samples + 1) / 2, fewest));
        releaseCached(m_device);
        warn("Memory was short for an evaluation in passes of " + formatCount(before)
            + " samples; it begins again with " + formatCount(samples) + ".");
    }
}

std::optional<Evaluation> Session::evaluated(const ResidentSplit& split)
{
    std::int64_t batch = std::min(m_evaluationBatch, split.samples());
    const std::int64_t asked = batch;
    const auto done = inSmallerPasses(batch, /*fewest=*/1, [&] {
        return evaluate(
            *m_run.network, m_run.data, split, batch, [this] { return evaluationGoesOn(); });
    });
    if (batch < asked) // otherwise the next one, maybe of a larger part, begins as it was asked to
        m_evaluationBatch = batch;
    return done;
}

// False: it was stopped.
bool Session::makeStatisticsPrecise()
{
    std::int64_t micro = m_run.windows.micro();
    return inSmallerPasses(micro, m_started.plan.smallestSlice, [&] {
        return recomputeStatistics(*m_run.network, m_run.data, m_augmentation, m_order, micro,
            [this] { return evaluationGoesOn(); });
    });
}

bool Session::evaluationGoesOn()
{
    m_parts->watch.keepPace();
    const bool on = goesOn();
    m_parts->watch.tell(Phase::Evaluation); // a pause said otherwise
    return on;
}

void Session::tellEvaluation(
    const Evaluation& test, const std::optional<Evaluation>& validation, double secondsBefore)
{
    const double seconds = m_clock.seconds();
    m_events.emitEvent(Evaluated { .epoch = m_state.position.epoch,
        .step = m_state.position.step,
        .samples = m_state.position.samples,
        .microBatches = m_state.position.microBatches,
        .seconds = seconds,
        .testLoss = test.loss,
        .testAccuracy = test.accuracy,
        .validationLoss = validation ? std::optional(validation->loss) : std::nullopt,
        .validationAccuracy = validation ? std::optional(validation->accuracy) : std::nullopt,
        .evaluationMs = 1000 * (seconds - secondsBefore) });
    const double judged = validation ? validation->accuracy : test.accuracy;
    m_bestIsUnsaved = judged > m_state.best || m_bestIsUnsaved;
    m_state.best = std::max(m_state.best, judged);
}

void Session::checkpointIfDue()
{
    if (m_over || !m_checkpoints)
        return;
    reportCheckpoint(m_checkpoints->taken());
    const RunProgress now = progress();
    const bool best = m_bestIsUnsaved && m_request.experiment.checkpoint.best;
    const bool due = m_parts->checkpointDue.reached(now);
    if ((!due && !best) || m_state.position.step == m_started.totalSteps)
        return; // at the end it is saved anyway
    readSteps(0);
    if (m_over)
        return;
    if (due)
        m_parts->checkpointDue.done(now);
    m_state.checkpointNext = m_parts->checkpointDue.next();
    reportCheckpoint(m_checkpoints->wait());
    saveNow(best);
}

// Training needs no copy of itself: where there is no memory for one, it goes on.
void Session::saveNow(bool best)
{
    try {
        m_checkpoints->save(snapshot(m_state), best);
        m_bestIsUnsaved = false;
    } catch (...) {
        if (!isOutOfMemory(std::current_exception()))
            throw;
        warn("The checkpoint of step " + formatCount(m_state.position.step)
            + " could not be saved, training goes on: memory was short for a copy of the "
              "model.");
    }
}

void Session::reportCheckpoint(const std::optional<CheckpointStore::Saved>& saved)
{
    if (!saved)
        return;
    if (!saved->problem.empty())
        return warn("The checkpoint of step " + formatCount(saved->step)
            + " could not be saved, training goes on: " + saved->problem);
    m_checkpoint = saved->folder.string();
    m_events.emitEvent(CheckpointSaved {
        .step = saved->step, .seconds = m_clock.seconds(), .folder = m_checkpoint });
}

// The model is what the last update made it, also where a window is open; what that has added
// up so far is beside it.
Checkpoint Session::snapshot(const RunState& state)
{
    TrainingParts& parts = *m_parts;
    const bool open = state.cursor.open.has_value();
    const HostScope onHost;
    tellTrace(); // what was before the checkpoint is told before it
    const NamedTensors window = open ? clonedToHost(parts.window()) : NamedTensors {};
    Checkpoint saved { .state = state,
        .trainSamples = m_started.trainSamples,
        .data = m_started.data,
        .threads = m_started.threads,
        .device = m_started.device,
        .memoryFormat = m_started.memoryFormat,
        .recipe = writeRecipe(m_request.experiment),
        .model = clonedToHost(open ? parts.modelBeforeWindow() : namedState(*m_run.network)),
        .tensors = clonedToHost(parts.state()) };
    saved.tensors.insert(saved.tensors.end(), window.begin(), window.end());
    saved.state.position.seconds = m_clock.seconds();
    return saved;
}

double Session::epochsDone() const
{
    return static_cast<double>(m_state.cursor.epoch - 1)
        + static_cast<double>(m_state.cursor.offset) / static_cast<double>(m_started.trainSamples);
}

void Session::stopHere()
{
    readSteps(0);
    if (m_over)
        return;
    m_over = true;
    m_outcome = RunOutcome::Stopped;
    m_message = "Stopped as asked after step " + formatCount(m_state.position.step) + " of "
        + formatCount(m_started.totalSteps) + ", in epoch " + formatCount(m_state.position.epoch)
        + (m_state.cursor.open ? "; what the open window has added up is saved with it." : ".");
}

MemoryNeed Session::memoryNeed() const
{
    MemoryNeed need { .inUse = m_meter ? m_meter->peakBytes() : 0,
        .budget = m_request.experiment.memory.budget };
    if (m_parts) {
        need.micro = std::min(m_run.windows.micro(), m_started.trainSamples);
        need.smallest = !m_run.windows.finerMicro();
    }
    return need;
}

void Session::fail(const std::exception_ptr& failure)
{
    MemoryNeed need = memoryNeed();
    need.wasShort = m_failures && isOutOfMemory(failure, *m_failures);
    const RunFailure described = describeFailure(failure, m_device, need);
    m_over = true;
    m_outcome = described.outcome;
    m_message = described.message;
}

void Session::saveAtEnd()
{
    if (!m_checkpoints)
        return;
    const HostScope onHost;
    m_parts->watch.tell(Phase::Checkpoint);
    reportCheckpoint(m_checkpoints->wait());
    const bool whole = m_outcome == RunOutcome::Completed || m_outcome == RunOutcome::Stopped;
    const Checkpoint saved = snapshot(whole ? m_state : m_good);
    const bool best = m_bestIsUnsaved && m_request.experiment.checkpoint.best;
    m_checkpoints->save(saved, best);
    const auto answer = m_checkpoints->wait();
    if (!answer->problem.empty())
        throw EngineError(answer->problem);
    reportCheckpoint(answer);
    warnOfBrokenModel(saved.model);
}

// The guard judges what goes into an update; only a decay or a normalisation beyond reason
// makes values that are not finite of it.
void Session::warnOfBrokenModel(const NamedTensors& model)
{
    for (const auto& [name, tensor] : model)
        if (!at::isfinite(tensor).all().item<bool>())
            return warn("The saved model is of no use: " + name
                + " holds values that are not finite. A smaller optimizer.lr or "
                  "optimizer.weight_decay usually helps.");
}

// What the last update made is worth keeping, however the run ended, and the window before the
// one that failed may still be unread: its update is in the parameters, or it diverged and is
// what ended the run. Of a device that is lost nothing can be read; what was saved before stays.
void Session::rescue()
{
    try {
        if (isLost(m_device))
            return reportCheckpoint(m_checkpoints ? m_checkpoints->wait() : std::nullopt);
        m_parts->guard.giveUpWindow();
        readSteps(0);
        saveAtEnd();
    } catch (...) {
        m_message += " The model could not be saved: "
            + describeFailure(std::current_exception(), m_device).message;
    }
}

void Session::keepModel()
{
    if (!m_begun) // nothing was trained; what is saved stays
        return;
    if (m_outcome == RunOutcome::Failed || m_outcome == RunOutcome::OutOfMemory)
        return rescue();
    try {
        saveAtEnd();
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), m_device);
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
        .step = m_outcome == RunOutcome::Diverged ? m_known.position.step : m_state.lastUpdate,
        .samples = m_known.position.samples,
        .microBatches = m_known.position.microBatches,
        .epoch = m_state.position.epoch,
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
        const RunFailure failure = describeFailure(std::current_exception(), m_device);
        ended.outcome = failure.outcome;
        ended.message += (ended.message.empty() ? "" : " ")
            + ("The end of the run could not be told: " + failure.message);
    }
}

} // namespace accrue
