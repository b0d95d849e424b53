// SPDX-License-Identifier: Apache-2.0
#include "engine/report/scaling_windows.h"

#include "engine/base/error.h"
#include "engine/experiment/resolved.h"
#include "engine/insight/least_squares.h"
#include "engine/report/logged_training.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

namespace accrue {

namespace {

constexpr std::int64_t kWarmUp = 2; // windows in which memory is allocated and caches fill
constexpr std::int64_t kNever = 1'000'000'000; // steps

// Keeps what the windows took.
class WindowTimes : public TrainingObserver {
public:
    void began(RunId) override { }
    void emitted(const Event& event) override
    {
        std::visit([this](const auto& one) { take(one); }, event);
    }
    void emitEvent(Event) override { }

    bool isOnCpu() const { return m_isOnCpu; }
    // Ranks report ten times a second at most, which in a short training is never.
    bool areWithoutRanks() const { return m_measured.empty(); }

    ScaledWindows result() const
    {
        ScaledWindows result;
        result.point.gradientBytes = m_gradientBytes;
        result.point.windowSeconds = medianOf(m_seconds);
        result.effective = m_samples;
        result.samplesPerSecond = static_cast<double>(m_samples) / result.point.windowSeconds;
        result.communicationMs = meanOf("communication_ms");
        result.waitMs = meanOf("wait_ms");
        result.bytes = meanOf("communication_bytes");
        return result;
    }

private:
    void take(const RunStarted& started)
    {
        m_isOnCpu = started.device == "cpu";
        const bool isDouble = started.experiment.run.precision == Precision::Float64;
        m_gradientBytes = static_cast<double>(started.parameters) * (isDouble ? 8 : 4);
    }
    void take(const StepDone& step)
    {
        if (step.step > kWarmUp)
            m_seconds.push_back(step.seconds - m_before);
        m_before = step.seconds;
        m_samples = step.windowSamples;
    }
    void take(const RanksMeasured& measured)
    {
        if (measured.step > kWarmUp)
            m_measured.insert(m_measured.end(), measured.values.begin(), measured.values.end());
    }
    template <typename Other> void take(const Other&) { }

    // 0 of one rank, which exchanges nothing.
    double meanOf(std::string_view metric) const
    {
        double sum = 0;
        int count = 0;
        for (const MetricValue& each : m_measured)
            if (each.metric == metric) {
                sum += each.value;
                ++count;
            }
        return count > 0 ? sum / count : 0;
    }

    std::vector<double> m_seconds;
    std::vector<MetricValue> m_measured;
    double m_before = 0;
    double m_gradientBytes = 0;
    std::int64_t m_samples = 0;
    bool m_isOnCpu = false;
};

std::int64_t cores()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

Sharding shardingOf(Shard shard)
{
    if (shard == Shard::None)
        return Sharding::None;
    return shard == Shard::Optimizer ? Sharding::Optimizer : Sharding::Parameters;
}

} // namespace

Experiment experimentOf(const ScalingCase& wanted, Experiment experiment, const BatchPlan& plan)
{
    BatchSettings& batch = experiment.batch;
    batch.effective = BatchNumber::solved();
    batch.micro = BatchNumber::given(plan.micro);
    batch.steps = BatchNumber::given(wanted.steps);
    batch.devices = BatchNumber::given(wanted.ranks);
    batch.schedule.clear();
    batch.tail = Tail::Drop; // all windows are whole
    experiment.distributed.synchronize =
        wanted.everyMicroBatch ? Synchronize::MicroBatch : Synchronize::Window;
    experiment.memory.metering = Metering::Off;
    experiment.run.evaluateEvery = { static_cast<double>(kNever), Span::Unit::Steps };
    experiment.run.epochs = kNever / 1000;
    experiment.run.limitSteps = 0;
    if (!experiment.run.threads) // the same for any number of ranks
        experiment.run.threads = 1;
    return experiment;
}

std::optional<ScaledWindows> measureWindows(Engine& engine, const Experiment& experiment,
    const std::vector<std::filesystem::path>& dataDirectories, std::int64_t windows,
    RunControl& control)
{
    constexpr double kToReport = 0.3; // seconds
    const TrainingOrder order { .resolved = requireResolved(experiment),
        .dataDirectories = dataDirectories,
        .stopAfter = kWarmUp + windows };
    WindowTimes times;
    const LoggedTraining done =
        trainInLog(engine, order, control, /*log=*/nullptr, times, AfterTraining::FlushLog);
    if (isFailure(done.ended.outcome))
        throw Error(done.ended.message);
    if (done.ended.step < order.stopAfter)
        return {};
    ScaledWindows result = times.result();
    if (order.resolved.plan.devices > 1 && times.areWithoutRanks()) {
        const std::int64_t enough = std::llround(kToReport / result.point.windowSeconds);
        return measureWindows(
            engine, experiment, dataDirectories, std::max(2 * windows, enough), control);
    }
    result.point.ranks = order.resolved.plan.devices;
    result.sharesCores = times.isOnCpu() && order.resolved.plan.devices > cores();
    result.point.steps = order.resolved.plan.steps;
    result.point.everyMicroBatch = experiment.distributed.synchronize == Synchronize::MicroBatch;
    result.point.sharding = shardingOf(experiment.distributed.shard);
    return result;
}

ScaledWindows medianOf(const std::vector<ScaledWindows>& measured)
{
    const auto median = [&](const auto& figureOf) {
        std::vector<double> figures;
        figures.reserve(measured.size());
        for (const ScaledWindows& one : measured)
            figures.push_back(figureOf(one));
        return medianOf(std::move(figures));
    };
    ScaledWindows all = measured.front();
    all.point.windowSeconds = median([](const auto& one) { return one.point.windowSeconds; });
    all.samplesPerSecond = static_cast<double>(all.effective) / all.point.windowSeconds;
    all.communicationMs = median([](const auto& one) { return one.communicationMs; });
    all.waitMs = median([](const auto& one) { return one.waitMs; });
    all.bytes = median([](const auto& one) { return one.bytes; });
    return all;
}

} // namespace accrue
