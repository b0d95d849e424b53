// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/resolved.h"

#include "engine/base/error.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/window_sequence.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

void checkSize(const BatchPlan& plan, std::int64_t samples, Findings& findings)
{
    const std::int64_t largest = largestWindow(plan);
    if (samples >= largest)
        return;
    const Message what(plan.tail == Tail::Drop ? "epoch.all_dropped"
            : plan.tail == Tail::Flush         ? "epoch.one_update"
                                               : "epoch.less_than_an_update",
        { { "effective", largest }, { "samples", samples } });
    // Without any update nothing is trained; one small update, or one that spans epochs, is
    // allowed.
    findings.push_back(plan.tail == Tail::Drop ? errorAbout(key::batchTail, what)
                                               : warningAbout(key::batchEffective, what));
}

bool fillsWindows(const BatchPlan& plan, std::int64_t samples)
{
    return samples % plan.effective == 0
        && std::all_of(plan.schedule.begin(), plan.schedule.end(), [&](const StepsFrom& entry) {
               return samples % (largestSlice(plan) * entry.steps) == 0;
           });
}

Message droppedSamples(const BatchPlan& plan, std::int64_t samples)
{
    if (!plan.schedule.empty())
        return Message("epoch.dropped_unfilled");
    return Message(
        "epoch.dropped_count", { { "dropped", samples % plan.effective }, { "samples", samples } });
}

void checkDropped(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples, Findings& findings)
{
    if (plan.tail != Tail::Drop || fillsWindows(plan, samples))
        return;
    const Message dropped = droppedSamples(plan, samples);
    findings.push_back(warningAbout(key::batchTail,
        // Without shuffling, the dropped samples are the same ones in every epoch.
        Message(experiment.data.shuffle ? "epoch.drops_others" : "epoch.drops_the_same",
            { { "dropped", dropped } })));
}

void checkSlices(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples, Findings& findings)
{
    // Only BatchNorm limits the size of a slice.
    if (plan.smallestSlice == 1)
        return;
    const std::int64_t tail = samples % plan.effective;
    const bool isOneSize = plan.schedule.empty();
    if (plan.tail == Tail::Flush && isOneSize && !canBeCut(plan, tail)) {
        findings.push_back(errorAbout(key::batchEffective,
            Message("epoch.last_window_leaves_one",
                { { "tail", tail }, { "samples", samples }, { "effective", plan.effective },
                    { "why", whyNotOne() } })));
        return;
    }
    if (plan.tail != Tail::Carry && isOneSize)
        return;
    // If windows change their size or continue in the next epoch, no formula gives the smallest
    // slice: the windows are visited.
    const WindowSequence windows(plan, samples, experiment.run.epochs);
    if (const auto part = windows.firstUncutPart())
        findings.push_back(errorAbout(key::batchTail,
            Message("epoch.window_leaves_one",
                { { "epoch", part->epoch }, { "samples", part->samples },
                    { "why", whyNotOne() } })));
}

// Whether all counts are in range and the warm-up is shorter than the run, as far as that is known
// without the size of an epoch. If not, `validate` reports it.
bool warmUpIsRight(const Experiment& experiment)
{
    for (const char* key :
        { key::scheduleWarmupSteps, key::scheduleWarmupEpochs, key::runEpochs, key::runLimitSteps })
        if (rangeFinding(experiment, *findKey(key)))
            return false;
    const ScheduleSettings& schedule = experiment.schedule;
    const RunSettings& run = experiment.run;
    return schedule.warmupEpochs < run.epochs
        && (run.limitSteps == 0 || schedule.warmupSteps < run.limitSteps);
}

// Counts are at most kLargestCount and the samples of an IDX file fit 32 bits: no overflow.
void checkWarmUp(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples, Findings& findings)
{
    const ScheduleSettings& schedule = experiment.schedule;
    const WindowSequence windows(plan, samples, experiment.run.epochs);
    const std::int64_t steps = totalUpdates(experiment, plan, samples);
    const std::int64_t warmUp = schedule.warmupSteps + windows.updatesWithin(schedule.warmupEpochs);
    if (warmUp == 0 || warmUp < steps)
        return;
    findings.push_back(
        errorAbout(schedule.warmupSteps > 0 ? key::scheduleWarmupSteps : key::scheduleWarmupEpochs,
            Message("epoch.warm_up_too_long",
                // The message states the updates of one epoch, which a warm-up in steps can be
                // compared with.
                { { "warm_up", warmUp }, { "updates", steps },
                    { "each", windows.updatesWithin(1) } })));
}

} // namespace

Resolution resolve(Experiment experiment)
{
    BatchSolution solution = solveBatch(experiment);
    Resolution resolution { {}, std::move(solution.findings) };
    if (solution.plan)
        resolution.resolved = { std::move(experiment), std::move(*solution.plan) };
    return resolution;
}

ResolvedExperiment requireResolved(Experiment experiment)
{
    Resolution resolution = resolve(std::move(experiment));
    // The first error is enough here: validation listed all of them before.
    if (!resolution.resolved)
        for (const Finding& finding : resolution.findings)
            if (finding.severity == Finding::Severity::Error)
                throw Error(finding.message);
    return std::move(*resolution.resolved);
}

std::int64_t devicesOf(const Experiment& experiment)
{
    const auto resolved = resolve(experiment).resolved;
    return resolved ? resolved->plan.devices : 1;
}

Experiment withDevicesFound(Experiment experiment, std::int64_t found)
{
    BatchNumber& devices = experiment.batch.devices;
    if (devices.isAll())
        devices.value = found >= 1 && found <= kLargestCount ? found : 0;
    return experiment;
}

bool awaitsDevices(const Experiment& experiment)
{
    const BatchNumber& devices = experiment.batch.devices;
    return devices.isAll() && devices.value == 0;
}

Experiment withDevicesCounted(Experiment experiment)
{
    BatchNumber& devices = experiment.batch.devices;
    if (devices.isAll() && devices.value > 0)
        devices = BatchNumber::given(devices.value);
    return experiment;
}

ResolvedExperiment withEpoch(ResolvedExperiment resolved, std::int64_t samples)
{
    resolved.epoch = planEpoch(resolved.plan, samples);
    return resolved;
}

EpochPlan planEpoch(const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t full = samples / plan.effective;
    const std::int64_t tail = samples % plan.effective;
    const bool flushed = plan.tail == Tail::Flush && tail > 0;
    // A carried tail is counted here although its window ends in the next epoch: its slices are
    // passes of this one.
    const std::int64_t tailSlices =
        plan.tail == Tail::Drop ? 0 : static_cast<std::int64_t>(sliceSizes(plan, tail).size());
    return { .samples = samples,
        .windows = full + (flushed ? 1 : 0),
        .tailSamples = tail,
        .tail = plan.tail,
        .microBatches = full * plan.steps + tailSlices };
}

std::int64_t totalUpdates(const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    const RunSettings& run = experiment.run;
    const std::int64_t all = WindowSequence(plan, samples, run.epochs).updatesWithin(run.epochs);
    return run.limitSteps > 0 ? std::min(all, run.limitSteps) : all;
}

// In this order: a window that is never filled makes the checks of slices and warm-up meaningless,
// and both count windows over run.epochs, which has to be in range.
Findings checkEpoch(const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    Findings findings;
    if (samples < 1) {
        findings.push_back(errorAbout(key::dataName, Message("epoch.no_samples")));
        return findings;
    }
    checkSize(plan, samples, findings);
    if (hasErrors(findings) || rangeFinding(experiment, *findKey(key::runEpochs)))
        return findings;
    checkDropped(experiment, plan, samples, findings);
    checkSlices(experiment, plan, samples, findings);
    if (warmUpIsRight(experiment))
        checkWarmUp(experiment, plan, samples, findings);
    return findings;
}

} // namespace accrue
