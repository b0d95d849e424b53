// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_engine.h"

#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/door/checkpoints.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resolved.h"
#include "tests/support/fake_memory.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <sstream>
#include <system_error>
#include <utility>

namespace accrue {

namespace {
constexpr double kSecondsPerStep = 0.01;
constexpr double kPi = 3.14159265358979323846;

// A small disturbance in -1 … 1 that depends on the step and the seed alone.
double ripple(std::int64_t step, std::uint64_t seed)
{
    std::uint64_t x = static_cast<std::uint64_t>(step) * 0x9E3779B97F4A7C15ull + seed;
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 27;
    return static_cast<double>(x >> 11) / static_cast<double>(1ull << 52) - 1.0;
}

double lossAt(std::int64_t step, std::uint64_t seed)
{
    const double base = 0.05 + 2.25 * std::exp(-static_cast<double>(step) / 15.0);
    return base * (1.0 + 0.1 * ripple(step, seed));
}

double accuracyAt(std::int64_t step, std::uint64_t seed)
{
    const double base = 0.985 - 0.885 * std::exp(-static_cast<double>(step) / 12.0);
    return std::clamp(base + 0.002 * ripple(step + 1, seed), 0.0, 1.0);
}

std::int64_t peakOf(std::int64_t micro)
{
    return 4'000'000 + 72'136 * micro;
}

// Windows of four sizes, each as soon as it may begin; false: it was stopped.
bool measure(const std::function<bool()>& mayBegin, const FitProgressSink& progress, MemoryFit& fit)
{
    int windows = 0;
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 32, 64, 128, 256 }) {
        if (progress)
            progress({ .micro = micro, .windows = windows++, .ofWindows = 4 });
        if (!mayBegin())
            return false;
        points.push_back({ MemoryPhase::Forward, micro, peakOf(micro) - 1024 });
        points.push_back({ MemoryPhase::Backward, micro, peakOf(micro) });
    }
    fit.law = fitMemoryLaw(std::move(points), /*granularity=*/64);
    return true;
}

void measureSteps(MemoryFit& fit)
{
    fit.stepsMicro = 32;
    fit.gradientBytes = 246'824;
    for (const std::int64_t steps : { 1, 2, 4, 8, 16, 32 })
        fit.steps.push_back({ steps, peakOf(fit.stepsMicro) });
}

// The larger the faster, up to 128.
void timeMicroBatches(MemoryFit& fit)
{
    fit.speeds = { { 32, 4000, 40 }, { 64, 5000, 50 }, { 128, 6000, 60 }, { 256, 6010, 60 } };
    fit.speedThreads = 2;
}

void proveFor(std::int64_t budget, MemoryFit& fit)
{
    const std::int64_t micro = std::min(fit.trainSamples, fit.law.largestMicro(budget));
    if (micro > 0)
        fit.proof = { budget, micro, peakOf(micro), micro == fit.trainSamples };
    else
        fit.problem = Message::plain("Not one sample fits the budget.");
}

bool writeText(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream out(file, std::ios::binary);
    out << text;
    return out.good();
}

// "100 12800 400 2 1" of step, samples, micro-batches, epoch and seconds, then the recipe.
SavedCheckpoint readFake(const std::filesystem::path& folder)
{
    SavedCheckpoint saved { .folder = folder, .format = 3, .coversItself = true };
    const std::filesystem::path file = folder / "checkpoint.toml";
    std::ifstream in(file, std::ios::binary);
    ResumePoint& at = saved.at;
    if (!(in >> at.step >> at.samples >> at.microBatches >> at.epoch >> at.seconds)) {
        saved.problem = Message::plain("\"" + file.string() + "\" is damaged.");
        saved.file = file;
        return saved;
    }
    const std::string recipe { std::istreambuf_iterator<char>(in), {} };
    saved.experiment = parseRecipe(recipe, "fake").experiment;
    return saved;
}
} // namespace

// One run of the fake: the state between two events.
class FakeRun {
public:
    FakeRun(FakeEngine& engine, FakeEngineOptions options, const TrainRequest& request,
        RunControl& control, EventSink& events)
        : m_engine(engine)
        , m_options(std::move(options))
        , m_request(request)
        , m_control(control)
        , m_events(events)
        , m_drift(m_options.drift * (engine.trainings() - 1))
    {
    }

    RunEnded run()
    {
        m_folder = m_request.begin ? m_request.begin() : m_request.checkpointFolder;
        rememberFolder();
        m_plan = m_request.resolved.plan;
        m_epochPlan = planEpoch(m_plan, m_options.trainSamples);
        if (!m_request.resumeFrom.empty())
            m_from = readFake(m_request.resumeFrom).at.step;
        emitStarted();
        if (m_options.failToStart)
            return end(RunOutcome::Failed, "The fake engine was told to fail before it starts.");
        const std::int64_t epochs = m_request.resolved.experiment.run.epochs;
        for (m_epoch = 1; m_epoch <= epochs && !m_over; ++m_epoch)
            runEpoch();
        m_epoch = std::min(m_epoch, epochs);
        if (m_outcome == RunOutcome::Completed || m_outcome == RunOutcome::Stopped
            || m_outcome == RunOutcome::Diverged)
            saveCheckpoint();
        return end(m_outcome, m_message);
    }

private:
    void rememberFolder()
    {
        const std::lock_guard<std::mutex> lock(m_engine.m_mutex);
        m_engine.m_lastRequest.checkpointFolder = m_folder;
    }

    const RunSettings& settings() const { return m_request.resolved.experiment.run; }
    std::int64_t totalSteps() const
    {
        const std::int64_t all = m_epochPlan.windows * settings().epochs;
        return settings().limitSteps > 0 ? std::min(all, settings().limitSteps) : all;
    }
    double seconds() const { return static_cast<double>(m_step) * kSecondsPerStep; }

    void emitStarted()
    {
        RunStarted started;
        started.experiment = m_request.resolved.experiment;
        started.plan = m_plan;
        started.epoch = m_epochPlan;
        started.totalSteps = totalSteps();
        started.trainSamples = m_options.trainSamples;
        started.testSamples = m_options.testSamples;
        started.parameters = 61706;
        started.dataDescription = clausesOf({ Message::plain("Fake data"),
            Message("data.train_and_test",
                { { "train", m_options.trainSamples }, { "test", m_options.testSamples } }) });
        started.device = settings().device == "auto" ? "cpu" : settings().device;
        started.deviceName = "Fake CPU";
        started.threads = static_cast<int>(settings().threads.value_or(2));
        started.torchVersion = m_engine.versions().torch;
        m_events.emitEvent(started);
    }

    void runEpoch()
    {
        std::int64_t left = m_options.trainSamples;
        while (left > 0 && !m_over) {
            const std::int64_t samples = std::min(left, m_plan.effective);
            runWindow(samples);
            left -= samples;
            if (m_step >= totalSteps())
                break;
        }
        if (m_over || m_step <= m_from)
            return;
        if (left <= 0)
            emitEpoch();
        const bool last = m_step >= totalSteps();
        if (last || settings().evaluateEvery.unit != Span::Unit::Steps)
            emitEvaluation();
        m_over = last;
    }

    // A window that was done before the run was resumed.
    void passWindow(std::int64_t samples)
    {
        ++m_step;
        m_samples += samples;
        m_microBatches += static_cast<std::int64_t>(sliceSizes(m_plan, samples).size());
    }

    void runWindow(std::int64_t samples)
    {
        if (m_step < m_from)
            return passWindow(samples);
        if (!m_engine.mayBeginStep(m_control)) {
            finish(RunOutcome::Stopped, "Stopped as asked.");
            return;
        }
        changeLearningRate();
        // A window that is stopped begins again, so its samples count when it is done.
        const auto count = static_cast<std::uint32_t>(sliceSizes(m_plan, samples).size());
        for (std::uint32_t slice = 1; slice <= count; ++slice)
            if (!runSlice(slice, count))
                return;
        m_samples += samples;
        m_microBatches += count;
        if (!endsEarly())
            emitStep(samples);
        evaluateBySteps();
        if (!m_over && m_step == m_request.stopAfter && m_step < totalSteps())
            stopThere();
    }

    void stopThere()
    {
        if (m_request.evaluatesAtStop)
            emitEvaluation();
        finish(RunOutcome::Stopped, "Stopped as asked.");
    }

    bool runSlice(std::uint32_t number, std::uint32_t of)
    {
        m_control.setProgress({ Phase::Forward, number, of });
        if (m_options.stepTime.count() > 0)
            m_engine.waitOneSlice(m_options.stepTime / of);
        if (m_control.pauseRequested() && !m_control.stopRequested()) {
            m_control.setProgress({ Phase::Paused, number, of });
            m_events.emitEvent(RunPaused { m_step, seconds() });
            m_control.waitWhilePaused();
            m_events.emitEvent(RunResumed { m_step, seconds() });
        }
        if (m_control.stopRequested())
            finish(RunOutcome::Stopped, "Stopped as asked.");
        return !m_over;
    }

    bool endsEarly()
    {
        const std::int64_t next = m_step + 1;
        if (m_options.failAtStep == next)
            finish(RunOutcome::Failed, "The fake engine was told to fail here.");
        if (m_options.outOfMemoryAtStep == next)
            finish(RunOutcome::OutOfMemory, "Out of memory with b = 1; choose a smaller model.");
        return m_over;
    }

    void changeLearningRate()
    {
        const std::optional<double> wanted = m_control.takeLearningRate(m_step + 1);
        const double factor = wanted ? *wanted / scheduledRate() : m_factor;
        if (factor == m_factor)
            return;
        m_factor = factor;
        m_events.emitEvent(LearningRateChanged { m_step + 1, seconds(), factor, learningRate() });
    }

    double learningRate() const { return scheduledRate() * m_factor; }

    double scheduledRate() const
    {
        const Experiment& experiment = m_request.resolved.experiment;
        double share = 1.0;
        if (experiment.schedule.name == ScheduleName::Cosine && totalSteps() > 0) {
            const double done = static_cast<double>(m_step) / static_cast<double>(totalSteps());
            const double last = experiment.schedule.finalFactor;
            share = last + (1.0 - last) * 0.5 * (1.0 + std::cos(kPi * done));
        }
        return experiment.optimizer.lr * share;
    }

    void emitStep(std::int64_t windowSamples)
    {
        const double rate = learningRate();
        ++m_step;
        StepDone step;
        step.step = m_step;
        step.epoch = m_epoch;
        step.samples = m_samples;
        step.microBatches = m_microBatches;
        step.seconds = seconds();
        step.windowSamples = windowSamples;
        step.loss = lossAt(m_step, settings().seed) + m_drift;
        step.learningRate = rate;
        step.gradientNorm = 2.0 * step.loss;
        step.stepMs = 1000.0 * kSecondsPerStep;
        step.dataMs = 0.5;
        step.forwardMs = 3.0;
        step.backwardMs = 6.0;
        step.optimizerMs = 0.5;
        step.peakBytes = peakOf(m_plan.micro);
        if (m_options.divergeAtStep == m_step)
            refuse(step);
        m_events.emitEvent(step);
        emitWindowMemory(windowSamples);
        m_engine.tellStep(m_step);
    }

    void emitWindowMemory(std::int64_t windowSamples)
    {
        const Metering metering = m_request.resolved.experiment.memory.metering;
        if (metering == Metering::Off)
            return;
        m_events.emitEvent(MemoryMeasured { m_step, m_epoch, seconds(),
            fakeWindowMemory(sliceSizes(m_plan, windowSamples), residentSamples(),
                metering == Metering::Full) });
    }

    std::int64_t residentSamples() const { return m_options.trainSamples + m_options.testSamples; }

    void refuse(StepDone& step)
    {
        step.loss = std::numeric_limits<double>::quiet_NaN();
        step.gradientNorm = std::numeric_limits<double>::quiet_NaN();
        step.updated = false;
        if (settings().notFinite == NotFinite::End)
            finish(RunOutcome::Diverged,
                "The loss of step " + std::to_string(m_step)
                    + " is not finite; a smaller optimizer.lr usually helps.");
    }

    void evaluateBySteps()
    {
        const Span& every = settings().evaluateEvery;
        if (m_over || every.unit != Span::Unit::Steps || m_step == totalSteps())
            return;
        const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(every.count));
        if (m_step % count == 0)
            emitEvaluation();
    }

    void emitEpoch()
    {
        EpochDone epoch;
        epoch.epoch = m_epoch;
        epoch.step = m_step;
        epoch.samples = m_samples;
        epoch.microBatches = m_microBatches;
        epoch.seconds = seconds();
        epoch.trainLoss = lossAt(m_step, settings().seed);
        epoch.trainAccuracy = accuracyAt(m_step, settings().seed);
        m_events.emitEvent(epoch);
    }

    void emitEvaluation()
    {
        m_control.setProgress({ Phase::Evaluation, 0, 0 });
        Evaluated evaluated;
        evaluated.epoch = m_epoch;
        evaluated.step = m_step;
        evaluated.samples = m_samples;
        evaluated.microBatches = m_microBatches;
        evaluated.seconds = seconds();
        evaluated.testLoss = 1.1 * lossAt(m_step, settings().seed + 1);
        evaluated.testAccuracy = accuracyAt(m_step, settings().seed + 1);
        evaluated.evaluationMs = 5.0;
        m_events.emitEvent(evaluated);
        if (m_request.resolved.experiment.memory.metering != Metering::Off)
            m_events.emitEvent(MemoryMeasured { m_step, m_epoch, seconds(),
                { fakeEvaluationMemory(m_plan.micro, residentSamples()) } });
    }

    void finish(RunOutcome outcome, std::string message)
    {
        m_over = true;
        m_outcome = outcome;
        m_message = std::move(message);
    }

    void saveCheckpoint()
    {
        if (m_folder.empty())
            return;
        const std::filesystem::path folder = checkpointAt(m_folder, m_step);
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        std::ostringstream position;
        position << m_step << ' ' << m_samples << ' ' << m_microBatches << ' ' << m_epoch << ' '
                 << seconds() << '\n'
                 << writeRecipe(m_request.resolved.experiment);
        if (error || !writeText(folder / "model.safetensors", "fake")
            || !writeText(folder / "state.safetensors", "fake")
            || !writeText(folder / "checkpoint.toml", position.str()))
            return;
        m_checkpoint = folder.string();
        m_events.emitEvent(CheckpointSaved { m_step, seconds(), m_checkpoint });
    }

    RunEnded end(RunOutcome outcome, const std::string& message)
    {
        RunEnded ended;
        ended.outcome = outcome;
        ended.step = m_step;
        ended.samples = m_samples;
        ended.microBatches = m_microBatches;
        ended.epoch = m_epoch;
        ended.seconds = seconds();
        ended.message = Message::plain(message);
        ended.checkpoint = m_checkpoint;
        m_control.setProgress({});
        m_events.emitEvent(ended);
        return ended;
    }

    FakeEngine& m_engine;
    const FakeEngineOptions m_options;
    const TrainRequest& m_request;
    RunControl& m_control;
    EventSink& m_events;
    const double m_drift;
    std::filesystem::path m_folder; // of its checkpoints; empty: none are saved
    BatchPlan m_plan;
    EpochPlan m_epochPlan;
    std::int64_t m_from = 0; // step
    std::int64_t m_step = 0, m_samples = 0, m_microBatches = 0, m_epoch = 0;
    double m_factor = 1.0;
    bool m_over = false;
    RunOutcome m_outcome = RunOutcome::Completed;
    std::string m_message, m_checkpoint;
};

EngineVersions fakeVersions()
{
    EngineVersions versions;
    versions.torch = "2.11.0+fake";
    return versions;
}

FakeEngine::FakeEngine(FakeEngineOptions options)
    : m_options(std::move(options))
{
}

EngineVersions FakeEngine::versions()
{
    return options().versions;
}

std::vector<DeviceInfo> FakeEngine::devices()
{
    std::vector<DeviceInfo> devices = options().devices;
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (!devices.empty())
        devices.back().lost = m_lostDevice;
    return devices;
}

RunEnded FakeEngine::train(const TrainRequest& request, RunControl& control, EventSink& events)
{
    const std::lock_guard<std::mutex> job(m_job);
    if (const std::string wrong = this->options().wrongInput; !wrong.empty())
        throw InputError(wrong);
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_lastRequest = request;
        m_lastRequest.begin = {}; // what it refers to ends with the run
        m_emittedStep = 0;
        m_running = true;
        ++m_trainings;
    }
    RunEnded ended = FakeRun(*this, options(), request, control, events).run();
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_running = false;
    m_lostDevice = m_lostDevice || (m_options.losesDevice && ended.outcome == RunOutcome::Failed);
    m_changed.notify_all();
    return ended;
}

// Its ranks are of no process and compute nothing.
RunEnded FakeEngine::join(const JoinRequest&, RunControl&, EventSink&)
{
    return {};
}

MemoryFit FakeEngine::fit(
    const FitRequest& request, RunControl& control, const FitProgressSink& progress)
{
    const std::lock_guard<std::mutex> job(m_job);
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        ++m_fits;
    }
    const FakeEngineOptions options = this->options();
    const DeviceInfo& device = options.devices.front();
    MemoryFit fit { .trainSamples = options.trainSamples,
        .totalBytes = device.totalBytes,
        .device = device.id,
        .deviceName = device.name,
        .torchVersion = options.versions.torch,
        .memoryFormat = "contiguous",
        .threads = 2 };
    if (options.failToStart) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_lostDevice = options.losesDevice;
        return { .problem = Message::plain("The fake engine was told not to measure.") };
    }
    if (!measure([&] { return mayBeginStep(control); }, progress, fit))
        return { .stopped = true };
    if (request.alsoSteps)
        measureSteps(fit);
    if (request.alsoSpeeds)
        timeMicroBatches(fit);
    if (const auto& budget = request.experiment.memory.budget)
        proveFor(budget->count, fit);
    return fit;
}

SavedCheckpoint FakeEngine::inspect(const std::filesystem::path& checkpoint)
{
    return readFake(checkpoint);
}

Message FakeEngine::resumeProblem(const DataIdentity&, const TrainRequest&)
{
    return options().resumeProblem;
}

CheckpointFigures FakeEngine::evaluate(const EvaluationRequest& request)
{
    const std::lock_guard<std::mutex> job(m_job);
    const SavedCheckpoint saved = readFake(request.checkpoint);
    CheckpointFigures figures;
    figures.problem = saved.problem;
    figures.evaluated.step = saved.at.step;
    figures.evaluated.epoch = saved.at.epoch;
    const std::uint64_t seed = request.experiment.run.seed + 1;
    figures.evaluated.testLoss = 1.1 * lossAt(saved.at.step, seed);
    figures.evaluated.testAccuracy = accuracyAt(saved.at.step, seed);
    figures.dataDescription = Message::plain("Fake data");
    figures.warnings = options().evaluationWarnings;
    figures.device = "cpu";
    figures.threads = static_cast<int>(request.experiment.run.threads.value_or(2));
    return figures;
}

ParameterDistance FakeEngine::distance(
    const std::filesystem::path& a, const std::filesystem::path& b)
{
    const SavedCheckpoint one = readFake(a);
    const SavedCheckpoint other = readFake(b);
    return { .problem = one.problem.empty() ? other.problem : one.problem,
        .relative = one.at.step == other.at.step ? 0.0 : 0.25,
        .parameters = 61706,
        .stepOfA = one.at.step,
        .stepOfB = other.at.step };
}

std::vector<SelfTestRow> FakeEngine::selfTest(
    const std::string& device, const std::filesystem::path&)
{
    const bool passes = options().selfTestPasses;
    return {
        { Message::plain("accumulation b 32 × N 4 = b 128 × N 1, float64"),
            Message::plain(passes ? "1.3e-15" : "3e-3"), Message::plain("≤ 1e-12"), passes, false },
        { Message::plain("cpu against " + device), Message::plain("no second device here"),
            Message::plain("≤ 1e-5"), false, true },
    };
}

void FakeEngine::setOptions(FakeEngineOptions options)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_options = std::move(options);
    m_lostDevice = false;
}

void FakeEngine::allowSteps(std::int64_t count)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_allowed += count;
    m_changed.notify_all();
}

bool FakeEngine::waitForStep(std::int64_t step, std::chrono::milliseconds limit)
{
    std::unique_lock<std::mutex> lock(m_mutex);
    m_changed.wait_for(
        lock, limit, [&] { return m_emittedStep >= step || (m_trainings > 0 && !m_running); });
    return m_emittedStep >= step;
}

int FakeEngine::trainings() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_trainings;
}

int FakeEngine::fits() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_fits;
}

TrainRequest FakeEngine::lastRequest() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_lastRequest;
}

FakeEngineOptions FakeEngine::options() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_options;
}

// RunControl wakes nobody but a paused session, so a held step looks every 2 ms whether it should
// stop.
bool FakeEngine::mayBeginStep(RunControl& control)
{
    std::unique_lock<std::mutex> lock(m_mutex);
    while (m_options.held && m_allowed == 0 && !control.stopRequested())
        m_changed.wait_for(lock, std::chrono::milliseconds(2));
    if (m_options.held && m_allowed > 0)
        --m_allowed;
    return !control.stopRequested();
}

void FakeEngine::waitOneSlice(std::chrono::microseconds time)
{
    std::unique_lock<std::mutex> lock(m_mutex);
    m_changed.wait_until(lock, std::chrono::steady_clock::now() + time, [] { return false; });
}

void FakeEngine::tellStep(std::int64_t step)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_emittedStep = step;
    m_changed.notify_all();
}

} // namespace accrue
