// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/batch_plan.h"

#include "engine/experiment/key_table.h"
#include "engine/experiment/models.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace accrue {

namespace {

using Solved = BatchPlan::Solved;

constexpr std::int64_t kDefaultMicro = 32;
constexpr std::int64_t kDefaultSteps = 4;

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}

std::string text(std::int64_t value)
{
    return std::to_string(value);
}

void addError(Findings& findings, std::string key, std::string message)
{
    findings.push_back({ Finding::Severity::Error, std::move(key), 0, std::move(message) });
}

Findings rangeFindings(const Experiment& experiment)
{
    Findings findings;
    for (const char* key :
        { "batch.effective", "batch.micro", "batch.steps", "batch.devices", "batch.schedule" })
        if (const auto finding = rangeFinding(experiment, *findKey(key)))
            findings.push_back(*finding);
    return findings;
}

// ---- one function a shape of the question; all numbers given are in range, W is 1 ----

void checkProduct(const char* key, std::int64_t micro, std::int64_t steps, Findings& findings)
{
    if (micro * steps > kLargestCount && !hasErrors(findings))
        addError(findings, key,
            "batch.micro " + text(micro) + " × " + key + " " + text(steps)
                + " make an effective batch of " + text(micro * steps)
                + " samples; allowed: at most " + text(kLargestCount) + ".");
}

// B = b·N, with the default of what is not given.
void solveEffective(const BatchSettings& asked, BatchPlan& plan, Findings& findings)
{
    plan.solved = Solved::Effective;
    plan.micro = asked.micro.isGiven() ? asked.micro.value : kDefaultMicro;
    plan.steps = asked.steps.isGiven() ? asked.steps.value : kDefaultSteps;
    plan.effective = plan.micro * plan.steps; // both at most 1e9: no overflow
    checkProduct("batch.steps", plan.micro, plan.steps, findings);
}

// The same with the N of batch.schedule, which stands in place of batch.steps.
void solveScheduled(const BatchSettings& asked, BatchPlan& plan, Findings& findings)
{
    if (asked.effective.isGiven())
        addError(findings, "batch.effective",
            "batch.effective is " + text(asked.effective.value)
                + ", but batch.schedule changes it while the run trains; allowed: auto.");
    if (asked.steps.kind != BatchNumber::Kind::Unset)
        addError(findings, "batch.steps",
            "batch.steps and batch.schedule both give the accumulation steps; leave one of them "
            "out.");
    if (asked.micro.kind == BatchNumber::Kind::Auto)
        addError(findings, "batch.micro",
            "batch.micro is auto, but with batch.schedule there is nothing to solve it from; "
            "allowed: a number.");
    plan.schedule = asked.schedule;
    BatchSettings first = asked;
    first.effective = {};
    first.steps = BatchNumber::given(asked.schedule.front().steps);
    solveEffective(first, plan, findings);
    for (const StepsFrom& entry : asked.schedule)
        checkProduct("batch.schedule", plan.micro, entry.steps, findings);
}

// N = ceil(B / b)
void solveSteps(std::int64_t micro, BatchPlan& plan)
{
    plan.solved = Solved::Steps;
    plan.micro = micro;
    plan.steps = ceilDivide(plan.effective, micro);
}

// b = ceil(B / N); not every N is one that a micro-batch gives: 10 samples are never cut into 6.
void solveMicro(std::int64_t steps, BatchPlan& plan, Findings& findings)
{
    plan.solved = Solved::Micro;
    plan.steps = steps;
    plan.micro = ceilDivide(plan.effective, steps);
    const std::int64_t slices = ceilDivide(plan.effective, plan.micro);
    if (slices == steps)
        return;
    const std::int64_t more = plan.micro > 1 ? ceilDivide(plan.effective, plan.micro - 1) : 0;
    addError(findings, "batch.steps",
        "batch.steps is " + text(steps) + ", but no micro-batch cuts " + text(plan.effective)
            + " samples into that many; allowed: " + text(slices)
            + (more > 0 ? " or " + text(more) : std::string())
            + " steps, or another batch.effective.");
}

// The same with the default N, which yields: 5 samples in at most 4 slices are cut into 3 of 2.
void solveMicroOfDefaultSteps(BatchPlan& plan)
{
    plan.solved = Solved::Micro;
    plan.micro = ceilDivide(plan.effective, kDefaultSteps);
    plan.steps = ceilDivide(plan.effective, plan.micro);
}

// B, b and N given: they agree when N = ceil(B / b).
void checkAgreement(std::int64_t micro, std::int64_t steps, BatchPlan& plan, Findings& findings)
{
    plan.solved = Solved::None;
    plan.micro = micro;
    plan.steps = ceilDivide(plan.effective, micro);
    if (plan.steps == steps)
        return;
    std::string allowed = "batch.steps = " + text(plan.steps);
    const std::int64_t fitting = ceilDivide(plan.effective, steps);
    if (ceilDivide(plan.effective, fitting) == steps)
        allowed += ", or batch.micro = " + text(fitting);
    if (micro * steps <= kLargestCount)
        allowed += ", or batch.effective = " + text(micro * steps);
    addError(findings, "batch.steps",
        "batch.effective " + text(plan.effective) + ", batch.micro " + text(micro)
            + " and batch.steps " + text(steps) + " do not agree: " + text(plan.effective)
            + " samples in micro-batches of " + text(micro) + " make " + text(plan.steps)
            + (plan.steps == 1 ? " step" : " steps") + ". Allowed: " + allowed
            + ", or any one of them auto.");
}

// B, b, N given and W asked for: W = B / (b·N), or 1 where the last slice is smaller.
void solveDevices(const BatchSettings& asked, BatchPlan& plan, Findings& findings)
{
    const std::int64_t micro = asked.micro.value;
    const std::int64_t steps = asked.steps.value;
    const std::int64_t product = micro * steps;
    if (product < plan.effective && plan.effective % product == 0) {
        addError(findings, "batch.devices",
            "batch.effective " + text(plan.effective) + " = batch.micro " + text(micro)
                + " × batch.steps " + text(steps) + " × " + text(plan.effective / product)
                + " devices, but training on several devices is not available yet; allowed: 1.");
        return;
    }
    checkAgreement(micro, steps, plan, findings);
    plan.solved = Solved::Devices;
}

void solve(const BatchSettings& asked, BatchPlan& plan, Findings& findings)
{
    if (!asked.schedule.empty())
        return solveScheduled(asked, plan, findings);
    if (!asked.effective.isGiven())
        return solveEffective(asked, plan, findings);
    plan.effective = asked.effective.value;
    const bool micro = asked.micro.isGiven();
    const bool steps = asked.steps.isGiven();
    if (micro && steps && asked.devices.kind == BatchNumber::Kind::Auto)
        return solveDevices(asked, plan, findings);
    if (micro && steps)
        return checkAgreement(asked.micro.value, asked.steps.value, plan, findings);
    if (micro)
        return solveSteps(asked.micro.value, plan);
    if (steps)
        return solveMicro(asked.steps.value, plan, findings);
    // Only B is given. A recipe that asks for b alone has it; otherwise b keeps its default, which
    // yields to a window that is smaller.
    if (asked.micro.kind == BatchNumber::Kind::Auto && asked.steps.kind == BatchNumber::Kind::Unset)
        return solveMicroOfDefaultSteps(plan);
    solveSteps(std::min(kDefaultMicro, plan.effective), plan);
}

// The micro-batch is the largest slice, so one that is larger than its window is the window.
void shrinkToWindow(BatchPlan& plan, Findings& findings)
{
    if (plan.micro <= plan.effective)
        return;
    findings.push_back({ Finding::Severity::Warning, "batch.micro", 0,
        "batch.micro is " + text(plan.micro) + ", more than the effective batch of "
            + text(plan.effective) + " samples; micro-batches have " + text(plan.effective)
            + "." });
    plan.micro = plan.effective;
}

void checkNorm(const BatchPlan& plan, Findings& findings)
{
    if (plan.micro < plan.smallestSlice)
        addError(findings, "batch.micro",
            "batch.micro is " + text(plan.micro) + ", but " + std::string(kWhyNotOne)
                + "; allowed: 2 or more, or model.norm = \"group\".");
    else if (!canBeCut(plan, plan.effective))
        addError(findings, "batch.micro",
            "The effective batch of " + text(plan.effective) + " samples in micro-batches of "
                + text(plan.micro) + " leaves a last one of 1 sample, but " + kWhyNotOne
                + "; allowed: an even batch.effective, batch.micro of 3 or more, or model.norm = "
                  "\"group\".");
}

} // namespace

bool microFollowsBudget(const Experiment& experiment)
{
    const BatchSettings& batch = experiment.batch;
    return batch.micro.kind == BatchNumber::Kind::Auto && batch.effective.isGiven()
        && !batch.steps.isGiven() && batch.schedule.empty() && experiment.memory.budget;
}

Experiment withMicroThatFits(Experiment experiment, std::int64_t largest)
{
    const std::int64_t effective = experiment.batch.effective.value;
    const std::int64_t steps = ceilDivide(effective, largest);
    experiment.batch.micro = BatchNumber::given(ceilDivide(effective, steps));
    return experiment;
}

BatchSolution solveBatch(const Experiment& experiment)
{
    BatchSolution solution { {}, rangeFindings(experiment) };
    const BatchNumber& devices = experiment.batch.devices;
    if (devices.isGiven() && devices.value > 1)
        addError(solution.findings, "batch.devices",
            "batch.devices is " + text(devices.value)
                + ", but training on several devices is not available yet; allowed: 1.");
    if (hasErrors(solution.findings))
        return solution;
    BatchPlan plan;
    plan.reduction = experiment.batch.reduction;
    plan.tail = experiment.batch.tail;
    plan.smallestSlice = fewestSamplesOfSlice(experiment.model);
    solve(experiment.batch, plan, solution.findings);
    if (!hasErrors(solution.findings)) {
        shrinkToWindow(plan, solution.findings);
        checkNorm(plan, solution.findings);
    }
    if (!hasErrors(solution.findings))
        solution.plan = plan;
    return solution;
}

BatchPlan cutInto(BatchPlan plan, std::int64_t micro)
{
    const std::int64_t each = plan.devices * micro; // of all devices
    plan.micro = micro;
    plan.steps = (plan.effective + each - 1) / each;
    return plan;
}

bool canBeCut(const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t rest = samples % plan.micro;
    if (rest == 0 || rest >= plan.smallestSlice)
        return plan.micro >= plan.smallestSlice || samples == 0;
    return samples > plan.micro && (plan.micro + rest) / 2 >= plan.smallestSlice;
}

std::vector<std::int64_t> sliceSizes(const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t rest = samples % plan.micro;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(samples / plan.micro), plan.micro);
    if (rest > 0)
        sizes.push_back(rest);
    if (rest > 0 && rest < plan.smallestSlice && sizes.size() >= 2) {
        const std::int64_t both = plan.micro + rest;
        sizes[sizes.size() - 2] = both - both / 2;
        sizes.back() = both / 2;
    }
    return sizes;
}

} // namespace accrue
