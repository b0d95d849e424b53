// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/epoch_plan.h"

#include "engine/experiment/format.h"
#include "engine/experiment/key_table.h"
#include "engine/experiment/window_sequence.h"

#include <algorithm>
#include <string>
#include <utility>

namespace accrue {

namespace {

std::string text(std::int64_t value)
{
    return std::to_string(value);
}

void addError(Findings& findings, std::string key, std::string message)
{
    findings.push_back({ Finding::Severity::Error, std::move(key), 0, std::move(message) });
}

void addWarning(Findings& findings, std::string key, std::string message)
{
    findings.push_back({ Finding::Severity::Warning, std::move(key), 0, std::move(message) });
}

// Samples of the largest window that the plan asks for at any time.
std::int64_t largestWindow(const BatchPlan& plan)
{
    std::int64_t largest = plan.effective;
    for (const StepsFrom& entry : plan.schedule)
        largest = std::max(largest, plan.micro * entry.steps);
    return largest;
}

void checkSize(const BatchPlan& plan, std::int64_t samples, Findings& findings)
{
    const std::int64_t largest = largestWindow(plan);
    if (samples >= largest)
        return;
    const std::string found = "The effective batch of " + formatCount(largest)
        + " samples is more than the training set's " + formatCount(samples);
    switch (plan.tail) {
    case Tail::Drop:
        return addError(findings, "batch.tail",
            found
                + ", so batch.tail = \"drop\" would leave out every epoch; allowed: a smaller "
                  "batch.effective, or flush or carry.");
    case Tail::Flush:
        return addWarning(findings, "batch.effective",
            found + ", so every epoch is one update of " + formatCount(samples) + " samples.");
    case Tail::Carry:
        addWarning(
            findings, "batch.effective", found + ", so an update takes more than one epoch.");
    }
}

bool fillsWindows(const BatchPlan& plan, std::int64_t samples)
{
    return samples % plan.effective == 0
        && std::all_of(plan.schedule.begin(), plan.schedule.end(),
            [&](const StepsFrom& entry) { return samples % (plan.micro * entry.steps) == 0; });
}

void checkDropped(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples, Findings& findings)
{
    if (plan.tail != Tail::Drop || fillsWindows(plan, samples))
        return;
    const std::string what = plan.schedule.empty()
        ? formatCount(samples % plan.effective) + " of " + formatCount(samples) + " samples"
        : std::string("the samples that fill no window");
    addWarning(findings, "batch.tail",
        "batch.tail = \"drop\" leaves " + what + " out of every epoch, "
            + (experiment.data.shuffle ? "others each time; flush or carry uses them."
                                       : "always the same ones; flush or carry uses them."));
}

void addUncut(std::int64_t samples, const BatchPlan& plan, std::int64_t tail, Findings& findings)
{
    addError(findings, "batch.effective",
        "The last window of an epoch has " + text(tail) + (tail == 1 ? " sample" : " samples")
            + " (" + text(samples) + " in windows of " + text(plan.effective)
            + "), which leaves a micro-batch of 1, but " + kWhyNotOne
            + "; choose another batch.effective or batch.micro, or "
              "model.norm = \"group\".");
}

void checkSlices(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples, Findings& findings)
{
    if (plan.smallestSlice == 1)
        return;
    const std::int64_t tail = samples % plan.effective;
    if (plan.tail == Tail::Flush && plan.schedule.empty() && !canBeCut(plan, tail))
        return addUncut(samples, plan, tail, findings);
    if (plan.tail != Tail::Carry && plan.schedule.empty())
        return;
    const WindowSequence windows(plan, samples, experiment.run.epochs);
    if (const auto part = windows.firstUncutPart())
        addError(findings, "batch.tail",
            "Epoch " + text(part->epoch) + " gives " + text(part->samples)
                + (part->samples == 1 ? " sample" : " samples")
                + " to a window, which leaves a micro-batch of 1, but " + kWhyNotOne
                + "; choose another batch.micro or "
                  "batch.tail, or model.norm = \"group\".");
}

// Whether all counts are in range and the warm-up's are shorter than what they can be compared with
// before the size of an epoch is known. If not, `validate` has said so.
bool warmUpIsRight(const Experiment& experiment)
{
    for (const char* key :
        { "schedule.warmup_steps", "schedule.warmup_epochs", "run.epochs", "run.limit_steps" })
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
    addError(findings,
        schedule.warmupSteps > 0 ? "schedule.warmup_steps" : "schedule.warmup_epochs",
        "schedule.warmup_steps and schedule.warmup_epochs make a warm-up of " + formatCount(warmUp)
            + (warmUp == 1 ? " update" : " updates") + ", but the run has " + formatCount(steps)
            + " (" + formatCount(windows.updatesWithin(1))
            + " an epoch); the warm-up must be shorter than the run.");
}

} // namespace

EpochPlan planEpoch(const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t full = samples / plan.effective;
    const std::int64_t tail = samples % plan.effective;
    const bool flushed = plan.tail == Tail::Flush && tail > 0;
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

Findings checkEpoch(const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    Findings findings;
    if (samples < 1) {
        addError(findings, "data.name", "The training set is empty; a run needs 1 sample or more.");
        return findings;
    }
    checkSize(plan, samples, findings);
    if (hasErrors(findings) || rangeFinding(experiment, *findKey("run.epochs")))
        return findings;
    checkDropped(experiment, plan, samples, findings);
    checkSlices(experiment, plan, samples, findings);
    if (warmUpIsRight(experiment))
        checkWarmUp(experiment, plan, samples, findings);
    return findings;
}

} // namespace accrue
