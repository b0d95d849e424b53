// SPDX-License-Identifier: Apache-2.0
#include "tests/support/example_log.h"

#include "engine/events/metrics.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/resolved.h"
#include "tests/support/fake_memory.h"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace accrue {

namespace {

constexpr std::int64_t kTestSamples = 2000;

// Noise in [-1, 1] that is a function of its arguments (the finaliser of SplitMix64).
double noise(std::uint64_t seed, std::int64_t step)
{
    std::uint64_t x = seed * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(step);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    x ^= x >> 31;
    return static_cast<double>(x >> 11) / static_cast<double>(1ULL << 52) - 1;
}

BatchPlan planOf(const Experiment& experiment)
{
    const BatchSolution solution = solveBatch(experiment);
    if (!solution.plan)
        throw std::logic_error("example experiment without a plan");
    return *solution.plan;
}

// How fast this one learns: a better learning rate, more.
double speedOf(const Experiment& experiment)
{
    const double lr = std::log10(experiment.optimizer.lr) + 1.5;
    return 0.02 / (1 + lr * lr) * (experiment.model.norm == Norm::None ? 1 : 1.4);
}

RunId resumed(RunLogWriter& log, const ExampleRun& run, RunId id, std::int64_t from)
{
    const BatchPlan plan = planOf(run.experiment);
    log.resumeRun(id,
        { .epoch = from == 0 ? 0 : (from - 1) / run.stepsPerEpoch + 1,
            .step = from,
            .samples = from * plan.effective,
            .microBatches = from * plan.steps,
            .seconds = static_cast<double>(from) * run.secondsPerStep });
    return id;
}

} // namespace

double exampleOfRank(const std::string& metric, std::int64_t rank, std::int64_t ranks)
{
    return 10.0 * static_cast<double>(metric == "wait_ms" ? ranks - rank : rank + 1);
}

double exampleLoss(const ExampleRun& run, std::int64_t step)
{
    if (step == run.notFiniteAt)
        return std::numeric_limits<double>::quiet_NaN();
    const double at = static_cast<double>(step);
    const double mean = 0.05 + 2.3 * std::exp(-speedOf(run.experiment) * std::sqrt(at) * 4);
    return mean * (1 + 0.12 * noise(run.experiment.run.seed, step));
}

double exampleAccuracy(const ExampleRun& run, std::int64_t epoch)
{
    const double at = static_cast<double>(epoch);
    const double limit = 0.99 - 0.004 / (speedOf(run.experiment) * 40);
    return limit - 0.12 * std::exp(-at * speedOf(run.experiment) * 30)
        + 0.001 * noise(run.experiment.run.seed + 7, epoch);
}

ExampleRunInLog::ExampleRunInLog(RunLogWriter& log, ExampleRun run)
    : m_run(std::move(run))
    , m_id(log.beginRun(requireResolved(m_run.experiment)))
    , m_sink(log.sink(m_id))
    , m_plan(planOf(m_run.experiment))
{
    emitStart();
}

ExampleRunInLog::ExampleRunInLog(RunLogWriter& log, ExampleRun run, RunId id, std::int64_t from)
    : m_run(std::move(run))
    , m_id(resumed(log, m_run, id, from))
    , m_sink(log.sink(m_id))
    , m_plan(planOf(m_run.experiment))
    , m_step(from)
{
    emitStart();
}

void ExampleRunInLog::emitStart()
{
    RunStarted started;
    started.experiment = m_run.experiment;
    started.plan = m_plan;
    started.epoch = planEpoch(m_plan, m_run.stepsPerEpoch * m_plan.effective);
    started.totalSteps = m_run.steps;
    started.trainSamples = m_run.stepsPerEpoch * m_plan.effective;
    started.testSamples = kTestSamples;
    started.parameters = 61706;
    started.dataDescription =
        Message::plain("Digits, 12,000 train and 2,000 test, drawn by the program");
    started.device = m_run.device;
    started.deviceName = "Example CPU";
    started.threads = 2;
    started.torchVersion = "2.11.0";
    m_sink.emitEvent(started);
}

void ExampleRunInLog::advance(std::int64_t steps)
{
    for (std::int64_t i = 0; i < steps; ++i) {
        ++m_step;
        emitStep();
        if (m_step % m_run.stepsPerEpoch == 0)
            emitEndOfEpoch();
    }
}

void ExampleRunInLog::emitStep()
{
    const std::uint64_t seed = m_run.experiment.run.seed;
    StepDone step;
    step.step = m_step;
    step.epoch = (m_step - 1) / m_run.stepsPerEpoch + 1;
    step.samples = m_step * m_plan.effective;
    step.microBatches = m_step * m_plan.steps;
    step.seconds = static_cast<double>(m_step) * m_run.secondsPerStep;
    step.windowSamples = m_plan.effective;
    step.loss = exampleLoss(m_run, m_step);
    step.learningRate = m_run.experiment.optimizer.lr;
    step.gradientNorm = 1.5 + noise(seed + 1, m_step);
    step.stepMs = m_run.secondsPerStep * 1000 * (1 + 0.05 * noise(seed + 2, m_step));
    step.dataMs = step.stepMs * 0.06;
    step.forwardMs = step.stepMs * 0.36;
    step.backwardMs = step.stepMs * 0.54;
    step.optimizerMs = step.stepMs * 0.04;
    step.peakBytes = 6'000'000 + 72'136 * m_plan.micro;
    m_sink.emitEvent(step);
    if (m_plan.devices > 1)
        emitRanks(step);
    if (m_run.meters)
        emitMemory();
}

void ExampleRunInLog::emitRanks(const StepDone& step)
{
    RanksMeasured measured { .step = step.step,
        .epoch = step.epoch,
        .samples = step.samples,
        .microBatches = step.microBatches,
        .seconds = step.seconds };
    for (const MetricInfo& metric : metrics())
        for (std::int64_t rank = 0; metric.ofEachRank && rank < m_plan.devices; ++rank)
            measured.values.push_back(
                { metric.name, exampleOfRank(metric.name, rank, m_plan.devices), rank });
    m_sink.emitEvent(measured);
}

void ExampleRunInLog::emitMemory()
{
    const bool all = m_run.experiment.memory.metering == Metering::Full;
    m_sink.emitEvent(MemoryMeasured { m_step, (m_step - 1) / m_run.stepsPerEpoch + 1,
        static_cast<double>(m_step) * m_run.secondsPerStep,
        fakeWindowMemory(sliceSizes(m_plan, m_plan.effective), residentSamples(), all) });
}

std::int64_t ExampleRunInLog::residentSamples() const
{
    return m_run.stepsPerEpoch * m_plan.effective + kTestSamples;
}

void ExampleRunInLog::emitEndOfEpoch()
{
    EpochDone epoch;
    epoch.epoch = m_step / m_run.stepsPerEpoch;
    epoch.step = m_step;
    epoch.samples = m_step * m_plan.effective;
    epoch.microBatches = m_step * m_plan.steps;
    epoch.seconds = static_cast<double>(m_step) * m_run.secondsPerStep;
    epoch.trainLoss = exampleLoss(m_run, m_step == m_run.notFiniteAt ? m_step + 1 : m_step);
    epoch.trainAccuracy = exampleAccuracy(m_run, epoch.epoch) - 0.004;
    m_sink.emitEvent(epoch);
    Evaluated evaluated;
    evaluated.epoch = epoch.epoch;
    evaluated.step = epoch.step;
    evaluated.samples = epoch.samples;
    evaluated.microBatches = epoch.microBatches;
    evaluated.seconds = epoch.seconds;
    evaluated.testLoss = epoch.trainLoss * 1.1;
    evaluated.testAccuracy = exampleAccuracy(m_run, epoch.epoch);
    if (m_run.validates) {
        evaluated.validationLoss = epoch.trainLoss * 1.05;
        evaluated.validationAccuracy = evaluated.testAccuracy - 0.002;
    }
    evaluated.evaluationMs = 120;
    m_sink.emitEvent(evaluated);
    if (m_run.meters)
        m_sink.emitEvent(MemoryMeasured { m_step, epoch.epoch, epoch.seconds,
            { fakeEvaluationMemory(m_plan.micro, residentSamples()) } });
}

void ExampleRunInLog::end()
{
    RunEnded ended;
    ended.outcome = m_run.outcome;
    ended.step = m_step;
    ended.samples = m_step * m_plan.effective;
    ended.microBatches = m_step * m_plan.steps;
    ended.epoch = m_step / m_run.stepsPerEpoch;
    ended.seconds = static_cast<double>(m_step) * m_run.secondsPerStep;
    if (m_run.outcome == RunOutcome::Diverged)
        ended.message = Message::plain("The loss was not finite at step " + std::to_string(m_step)
            + ". The last good parameters were kept; try a smaller optimizer.lr.");
    m_sink.emitEvent(ended);
}

RunId writeExampleRun(RunLogWriter& log, const ExampleRun& run)
{
    ExampleRunInLog written(log, run);
    written.advance(run.steps);
    written.end();
    return written.id();
}

std::vector<Experiment> exampleExperiments(int count)
{
    constexpr std::array<std::int64_t, 4> kMicro { 8, 16, 32, 64 };
    constexpr std::array<std::int64_t, 3> kEffective { 64, 128, 256 };
    constexpr std::array kNorms { Norm::None, Norm::Batch, Norm::Group };
    constexpr std::array kRates { 0.04, 0.01, 0.1, 0.003 };
    std::vector<Experiment> experiments;
    for (int i = 0; i < count; ++i) {
        const auto n = static_cast<std::size_t>(i);
        Experiment experiment;
        experiment.model.name = n % 5 == 4 ? ModelName::Mlp : ModelName::LeNet5;
        experiment.data.name = n % 3 == 2 ? DataName::Mnist : DataName::Digits;
        experiment.name =
            std::string(n % 5 == 4 ? "mlp" : "lenet5") + (n % 3 == 2 ? "-mnist" : "-digits");
        experiment.model.norm = kNorms.at(n / 2 % kNorms.size());
        experiment.batch.micro = BatchNumber::given(kMicro.at(n % kMicro.size()));
        experiment.batch.effective = BatchNumber::given(kEffective.at(n / 4 % kEffective.size()));
        experiment.optimizer.name = n % 7 == 6 ? OptimizerName::AdamW : OptimizerName::Sgd;
        experiment.optimizer.lr = kRates.at(n / 3 % kRates.size());
        experiment.run.seed = n % 3 + 1;
        experiments.push_back(experiment);
    }
    return experiments;
}

} // namespace accrue
