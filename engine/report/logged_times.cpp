// SPDX-License-Identifier: Apache-2.0
#include "engine/report/logged_times.h"

#include "engine/base/format.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/report/law_store.h"
#include "engine/runlog/this_machine.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

// Fewer updates are mostly those in which a device warms up.
constexpr std::int64_t kFewestUpdates = 20;
// The newest runs say enough of what waits; the list is read several times a second.
constexpr std::size_t kMostRuns = 300;

// What the time of an update depends on beside the batch numbers: what the memory of a window does,
// and what a run does between its updates.
std::string timeFingerprint(const Experiment& experiment, const std::string& device)
{
    const Span& evaluations = experiment.run.evaluateEvery;
    std::string text = memoryFingerprint(experiment, device);
    for (const double number : { static_cast<double>(devicesOf(experiment)), evaluations.count,
             static_cast<double>(evaluations.unit),
             static_cast<double>(experiment.memory.metering) })
        text += exactNumber(number) + " ";
    return text;
}

bool isTimed(const RunRecord& run)
{
    return run.source == RunSource::Accrue && run.host == thisMachine().host
        && run.step >= kFewestUpdates && run.seconds > 0 && run.experiment.batch.schedule.empty();
}

TimedUpdates timedOf(const RunRecord& run)
{
    const BatchPlan plan = planInForce(run);
    return { plan.micro, plan.steps, plan.effective, run.seconds / static_cast<double>(run.step) };
}

std::optional<double> scaled(const std::optional<double>& seconds, double factor)
{
    return seconds ? std::optional(*seconds * factor) : std::nullopt;
}

bool lacksTime(const RunRecord& run)
{
    return run.queue && !run.queue->predictedSeconds && run.step == 0;
}

std::optional<double> secondsOf(const RunRecord& run, const LoggedTimes& times)
{
    const std::optional<std::int64_t> samples = times.samplesOf(run.experiment);
    if (!samples)
        return std::nullopt;
    const auto time =
        times.of(run.experiment, run.plan, totalUpdates(run.experiment, run.plan, *samples));
    return time ? std::optional(time->seconds) : std::nullopt;
}

} // namespace

std::vector<std::string> possibleDevices(const std::string& runDevice)
{
    if (runDevice == "auto")
        return { "cuda:0", "cpu" };
    return { runDevice == "cuda" ? "cuda:0" : runDevice };
}

std::string dataSettings(const Experiment& experiment)
{
    std::string text;
    for (const KeyInfo& key : experimentKeys())
        if (key.key.starts_with("data."))
            text += key::assignment(key.key, settingText(*settingOf(experiment, key.key))) + "\n";
    return text;
}

LoggedTimes::LoggedTimes(const std::vector<RunRecord>& runs, std::size_t most)
{
    std::size_t taken = 0;
    for (const RunRecord& run : runs) {
        if (taken == most)
            return;
        if (!isTimed(run))
            continue;
        ++taken;
        m_timed[timeFingerprint(run.experiment, run.device)].push_back(timedOf(run));
        if (run.epochPlan.samples > 0)
            m_samples.try_emplace(dataSettings(run.experiment), run.epochPlan.samples);
    }
}

std::optional<std::int64_t> LoggedTimes::samplesOf(const Experiment& experiment) const
{
    const auto found = m_samples.find(dataSettings(experiment));
    return found == m_samples.end() ? std::nullopt : std::optional(found->second);
}

std::optional<PredictedTime> LoggedTimes::of(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t updates) const
{
    if (!experiment.batch.schedule.empty() || microFollowsBudget(experiment))
        return std::nullopt;
    for (const std::string& device : possibleDevices(experiment.run.device)) {
        const auto runs = m_timed.find(timeFingerprint(experiment, device));
        if (runs == m_timed.end())
            continue;
        const std::optional<UpdateTime> time = predictUpdateTime(runs->second, plan);
        if (!time)
            return std::nullopt;
        const auto count = static_cast<double>(updates);
        return PredictedTime { time->seconds * count, scaled(time->low, count),
            scaled(time->high, count) };
    }
    return std::nullopt;
}

void predictMissingTimes(std::vector<RunRecord>& runs)
{
    if (std::none_of(runs.begin(), runs.end(), lacksTime))
        return;
    const LoggedTimes times(runs, kMostRuns);
    if (times.isEmpty())
        return;
    for (RunRecord& run : runs)
        if (lacksTime(run))
            run.queue->predictedSeconds = secondsOf(run, times);
}

} // namespace accrue
