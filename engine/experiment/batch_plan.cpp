// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/batch_plan.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/models.h"

#include <algorithm>
#include <cmath>
#include <string>

// The four numbers of a batch are solved in three steps: values out of range are reported and end
// the work, then one function for the combination of given numbers makes a plan, and the plan is
// checked against the norm. A plan is returned only without errors, so all other code may divide by
// its numbers.
namespace accrue {

namespace {

using Solved = BatchPlan::Solved;

constexpr std::int64_t kDefaultMicro = 32;
constexpr std::int64_t kDefaultSteps = 4;

Findings rangeFindings(const Experiment& experiment)
{
    Findings findings;
    for (const char* key : { key::batchEffective, key::batchMicro, key::batchSteps,
             key::batchDevices, key::batchSchedule })
        if (const auto finding = rangeFinding(experiment, *findKey(key)))
            findings.push_back(*finding);
    return findings;
}

// As given or found; otherwise 1, which solveDevices replaces.
std::int64_t devicesOf(const BatchSettings& asked)
{
    const BatchNumber& devices = asked.devices;
    return devices.isGiven() || (devices.isAll() && devices.value > 0) ? devices.value : 1;
}

// ---- one function for each combination of given numbers, all in range; W is set in the plan ----

// A clause; empty for one device.
Message onDevices(const BatchPlan& plan)
{
    return plan.devices == 1 ? Message()
                             : Message("batch.on_devices", { { "devices", plan.devices } });
}

// Two numbers in range have a product without overflow, three need not have one.
bool isAboveLargest(std::int64_t product, std::int64_t devices)
{
    return product > kLargestCount / devices;
}

void checkProduct(const char* key, const BatchPlan& plan, std::int64_t steps, Findings& findings)
{
    if (!isAboveLargest(plan.micro * steps, plan.devices) || hasErrors(findings))
        return;
    const std::string most = std::to_string(kLargestCount);
    findings.push_back(errorAbout(key,
        plan.devices == 1
            ? Message("batch.too_large",
                { { "micro", plan.micro }, { "key", std::string(key) }, { "steps", steps },
                    { "effective", plan.micro * steps }, { "most", most } })
            : Message("batch.too_large_on_devices",
                { { "micro", plan.micro }, { "key", std::string(key) }, { "steps", steps },
                    { "devices", plan.devices }, { "most", most } })));
}

// B = b·N·W, with the defaults of those that are not given.
void solveEffective(const BatchSettings& asked, BatchPlan& plan, Findings& findings)
{
    plan.solved = Solved::Effective;
    plan.micro = asked.micro.isGiven() ? asked.micro.value : kDefaultMicro;
    plan.steps = asked.steps.isGiven() ? asked.steps.value : kDefaultSteps;
    checkProduct(key::batchSteps, plan, plan.steps, findings);
    if (!hasErrors(findings))
        plan.effective = plan.micro * plan.steps * plan.devices;
}

// Batch numbers that cannot be set together with a schedule of N.
void checkBesideSchedule(const BatchSettings& asked, Findings& findings)
{
    if (asked.effective.isGiven())
        findings.push_back(errorAbout(key::batchEffective,
            Message("batch.effective_with_schedule", { { "effective", asked.effective.value } })));
    if (asked.steps.kind != BatchNumber::Kind::Unset)
        findings.push_back(errorAbout(key::batchSteps, Message("batch.steps_with_schedule")));
    if (asked.micro.kind == BatchNumber::Kind::Auto)
        findings.push_back(errorAbout(key::batchMicro, Message("batch.micro_with_schedule")));
}

// The same with the N of batch.schedule, which replaces batch.steps.
void solveScheduled(const BatchSettings& asked, BatchPlan& plan, Findings& findings)
{
    checkBesideSchedule(asked, findings);
    plan.schedule = asked.schedule;
    BatchSettings first = asked;
    first.effective = {};
    first.steps = BatchNumber::given(asked.schedule.front().steps);
    solveEffective(first, plan, findings);
    for (const StepsFrom& entry : asked.schedule)
        checkProduct(key::batchSchedule, plan, entry.steps, findings);
}

// N = ceil(B / (b·W)), and b itself.
void solveSteps(std::int64_t micro, BatchPlan& plan)
{
    plan = cutInto(plan, micro);
    plan.solved = Solved::Steps;
}

// The smallest b with which every device has at most `most` micro-batches in a window.
std::int64_t microForSteps(const BatchPlan& plan, std::int64_t most)
{
    return ceilDivide(plan.effective, most * plan.devices);
}

// b for an N of at most `most`: 5 samples in at most 4 slices are split into 3 of 2.
void solveMicro(std::int64_t most, BatchPlan& plan)
{
    plan = cutInto(plan, microForSteps(plan, most));
    plan.solved = Solved::Micro;
}

// The same with a given N. Not every N results from a micro-batch: 10 samples never make 6 slices.
// Names the nearest possible ones: "6", "5 or 10".
void solveMicroOfGivenSteps(std::int64_t steps, BatchPlan& plan, Findings& findings)
{
    solveMicro(steps, plan);
    if (plan.steps == steps)
        return;
    std::vector<std::string> possible { std::to_string(plan.steps) };
    if (plan.micro > 1)
        possible.push_back(std::to_string(cutInto(plan, plan.micro - 1).steps));
    findings.push_back(errorAbout(key::batchSteps,
        Message("batch.impossible_steps",
            { { "steps", steps }, { "effective", plan.effective }, { "on", onDevices(plan) },
                { "allowed", oneOf(possible) } })));
}

std::string equation(const std::string& key, std::int64_t value)
{
    return key + " = " + std::to_string(value);
}

// "batch.steps = 4, batch.micro = 43 or batch.effective = 96": changes that would agree with the
// others.
Message agreeing(std::int64_t micro, std::int64_t steps, const BatchPlan& plan)
{
    std::vector<std::string> changes { equation(key::batchSteps, plan.steps) };
    const std::int64_t fitting = microForSteps(plan, steps);
    if (cutInto(plan, fitting).steps == steps)
        changes.push_back(equation(key::batchMicro, fitting));
    if (!isAboveLargest(micro * steps, plan.devices))
        changes.push_back(equation(key::batchEffective, micro * steps * plan.devices));
    return oneOf(changes);
}

// B, b and N given: they agree if N = ceil(B / (b·W)).
void checkAgreement(std::int64_t micro, std::int64_t steps, BatchPlan& plan, Findings& findings)
{
    plan = cutInto(plan, micro);
    plan.solved = Solved::None;
    if (plan.steps == steps)
        return;
    findings.push_back(errorAbout(key::batchSteps,
        Message("batch.no_agreement",
            { { "effective", plan.effective }, { "micro", micro }, { "steps", steps },
                { "made", plan.steps }, { "on", onDevices(plan) },
                { "allowed", agreeing(micro, steps, plan) } })));
}

// B, b, N given and W requested: the fewest devices that need no more than N micro-batches each,
// W = ceil(B / (b·N)). Numbers that agree with no W are refused as those of one device.
void solveDevices(const BatchSettings& asked, BatchPlan& plan, Findings& findings)
{
    const std::int64_t micro = asked.micro.value;
    const std::int64_t steps = asked.steps.value;
    plan.devices = ceilDivide(plan.effective, micro * steps);
    if (cutInto(plan, micro).steps != steps)
        plan.devices = 1;
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
        return solveMicroOfGivenSteps(asked.steps.value, plan, findings);
    // Only B is given. If the recipe requests b alone, it is solved; otherwise b has its default,
    // or the window's size if that is smaller.
    if (asked.micro.kind == BatchNumber::Kind::Auto && asked.steps.kind == BatchNumber::Kind::Unset)
        return solveMicro(kDefaultSteps, plan);
    solveSteps(std::min(kDefaultMicro, microForSteps(plan, 1)), plan);
}

// A micro-batch that is larger than a device's share of its window is that share.
void shrinkToWindow(BatchPlan& plan, Findings& findings)
{
    const std::int64_t share = microForSteps(plan, 1);
    if (plan.micro <= share)
        return;
    findings.push_back(warningAbout(key::batchMicro,
        plan.devices == 1 ? Message("batch.micro_above_window",
            { { "micro", plan.micro }, { "effective", plan.effective } })
                          : Message("batch.micro_above_share",
                              { { "micro", plan.micro }, { "effective", plan.effective },
                                  { "devices", plan.devices }, { "share", share } })));
    plan.micro = share;
}

// Otherwise some devices would never have a sample.
void checkDevices(const BatchPlan& plan, Findings& findings)
{
    if (plan.devices > plan.effective)
        findings.push_back(errorAbout(key::batchDevices,
            Message("batch.too_many_devices",
                { { "devices", plan.devices }, { "effective", plan.effective } })));
}

void checkNorm(const BatchPlan& plan, Findings& findings)
{
    if (largestSlice(plan) < smallestSlice(plan))
        findings.push_back(errorAbout(key::batchMicro,
            Message("batch.micro_of_one", { { "micro", plan.micro }, { "why", whyNotOne() } })));
    else if (!canBeCut(plan, plan.effective))
        findings.push_back(errorAbout(key::batchMicro,
            Message("batch.last_micro_of_one",
                { { "effective", plan.effective }, { "micro", plan.micro },
                    { "why", whyNotOne() } })));
}

} // namespace

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}

Message whyNotOne()
{
    return Message("batch.why_not_one");
}

bool microFollowsBudget(const Experiment& experiment)
{
    const BatchSettings& batch = experiment.batch;
    return batch.micro.kind == BatchNumber::Kind::Auto && batch.effective.isGiven()
        && !batch.steps.isGiven() && batch.schedule.empty() && experiment.memory.budget;
}

Experiment withMicroThatFits(Experiment experiment, std::int64_t largest)
{
    const BatchPlan plan { .effective = experiment.batch.effective.value,
        .devices = devicesOf(experiment.batch) };
    experiment.batch.micro = BatchNumber::given(microForSteps(plan, cutInto(plan, largest).steps));
    return experiment;
}

BatchSolution solveBatch(const Experiment& experiment)
{
    BatchSolution solution { {}, rangeFindings(experiment) };
    if (hasErrors(solution.findings))
        return solution;
    BatchPlan plan;
    plan.devices = devicesOf(experiment.batch);
    plan.reduction = experiment.batch.reduction;
    plan.tail = experiment.batch.tail;
    plan.smallestSlice = fewestSamplesOfSlice(experiment.model);
    solve(experiment.batch, plan, solution.findings);
    plan.synchronisesNorm = experiment.model.batchnormSync && plan.devices > 1;
    if (!hasErrors(solution.findings)) {
        checkDevices(plan, solution.findings);
        shrinkToWindow(plan, solution.findings);
        checkNorm(plan, solution.findings);
    }
    if (!hasErrors(solution.findings))
        solution.plan = plan;
    return solution;
}

BatchPlan cutInto(BatchPlan plan, std::int64_t micro)
{
    plan.micro = micro;
    plan.steps = ceilDivide(plan.effective, plan.devices * micro);
    return plan;
}

std::int64_t largestSlice(const BatchPlan& plan)
{
    return plan.micro * plan.devices;
}

std::int64_t smallestSlice(const BatchPlan& plan)
{
    const bool isOfEach = plan.smallestSlice > 1 && !plan.synchronisesNorm;
    return isOfEach ? plan.smallestSlice * plan.devices : plan.smallestSlice;
}

bool canBeCut(const BatchPlan& plan, std::int64_t samples)
{
    // The last two slices share their samples if the rest is too small (sliceSizes), so a window
    // fails only if it has a single slice, or if two would still be too small.
    const std::int64_t largest = largestSlice(plan);
    const std::int64_t smallest = smallestSlice(plan);
    const std::int64_t rest = samples % largest;
    if (rest == 0 || rest >= smallest)
        return largest >= smallest || samples == 0;
    return samples > largest && (largest + rest) / 2 >= smallest;
}

std::vector<std::int64_t> sliceSizes(const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t largest = largestSlice(plan);
    const std::int64_t rest = samples % largest;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(samples / largest), largest);
    if (rest > 0)
        sizes.push_back(rest);
    if (rest > 0 && rest < smallestSlice(plan) && sizes.size() >= 2) {
        const std::int64_t both = largest + rest;
        sizes[sizes.size() - 2] = both - both / 2;
        sizes.back() = both / 2;
    }
    return sizes;
}

std::vector<SliceGroup> groupsOf(const std::vector<std::int64_t>& slices)
{
    std::vector<SliceGroup> groups;
    for (const std::int64_t samples : slices) {
        if (groups.empty() || groups.back().samples != samples)
            groups.push_back({ 0, samples });
        ++groups.back().count;
    }
    return groups;
}

std::vector<SliceGroup> groupsOf(const BatchPlan& plan)
{
    // More than any recipe has; a list of so many slices takes a moment and 8 MB.
    constexpr std::int64_t kMostSlices = 1'000'000;
    const bool plausible = plan.effective > 0 && plan.micro > 0 && plan.devices > 0
        && plan.effective / plan.micro / plan.devices <= kMostSlices
        && plan.devices <= kLargestCount && plan.micro <= kLargestCount;
    return plausible ? groupsOf(sliceSizes(plan, plan.effective)) : std::vector<SliceGroup> {};
}

std::int64_t mostSteps(const BatchPlan& plan)
{
    std::int64_t most = plan.steps;
    for (const StepsFrom& entry : plan.schedule)
        most = std::max(most, entry.steps);
    return most;
}

std::int64_t largestWindow(const BatchPlan& plan)
{
    return plan.schedule.empty() ? plan.effective : largestSlice(plan) * mostSteps(plan);
}

// With batch.schedule the effective batch grows in the middle of a run; N / N₀ is its growth.
double rateFactor(LrRule rule, std::int64_t steps, std::int64_t firstSteps)
{
    const double ratio = static_cast<double>(steps) / static_cast<double>(firstSteps);
    if (rule == LrRule::None)
        return 1;
    return rule == LrRule::Linear ? ratio : std::sqrt(ratio);
}

} // namespace accrue
