// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/fixes.h"

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/epoch_plan.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"

#include <algorithm>
#include <vector>

namespace accrue {

namespace {

std::string text(std::int64_t value)
{
    return std::to_string(value);
}

// The finding beside it says the whole key.
std::string lastWordOf(const std::string& key)
{
    return key.substr(key.rfind('.') + 1);
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}

// What solveBatch and checkEpoch say, the size of the training set being known or not.
Findings saidAbout(const Experiment& experiment, std::optional<std::int64_t> samples)
{
    BatchSolution solution = solveBatch(experiment);
    if (solution.plan && samples) {
        const Findings epoch = checkEpoch(experiment, *solution.plan, *samples);
        solution.findings.insert(solution.findings.end(), epoch.begin(), epoch.end());
    }
    return solution.findings;
}

bool contains(const Findings& findings, const Finding& wanted)
{
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.severity == wanted.severity && finding.key == wanted.key
            && finding.message == wanted.message;
    });
}

// Gone is gone only where nothing of its kind took its place, with another number in its sentence.
bool settles(const Fix& fix, const Finding& finding, Experiment experiment,
    std::optional<std::int64_t> samples)
{
    const Findings before = saidAbout(experiment, samples);
    if (!contains(before, finding) || !applyFix(experiment, fix).empty())
        return false;
    const Findings after = saidAbout(experiment, samples);
    return std::none_of(after.begin(), after.end(), [&](const Finding& left) {
        const bool sameKind = left.key == finding.key && left.severity == finding.severity;
        const bool error = left.severity == Finding::Severity::Error;
        return sameKind || (error && !contains(before, left));
    });
}

// The accumulation steps that B and b make, then those that B and the micro-batch nearest to N
// make.
std::vector<Fix> fixesOfSteps(const BatchSettings& batch)
{
    std::vector<Fix> fixes;
    const std::int64_t effective = batch.effective.value;
    const auto isCount = [](const BatchNumber& number) {
        return number.isGiven() && number.value >= 1;
    };
    if (isCount(batch.effective) && isCount(batch.micro))
        fixes.push_back(setting("batch.steps", text(ceilDivide(effective, batch.micro.value))));
    if (isCount(batch.effective) && isCount(batch.steps)) {
        const std::int64_t micro = ceilDivide(effective, batch.steps.value);
        fixes.push_back(setting("batch.steps", text(ceilDivide(effective, micro))));
    }
    return fixes;
}

std::vector<Fix> fixesOfMicro(const Experiment& experiment)
{
    const BatchSettings& batch = experiment.batch;
    if (batch.effective.isGiven() && batch.micro.isGiven()
        && batch.micro.value > batch.effective.value)
        return { setting("batch.micro", text(batch.effective.value)) };
    return { usingGroupNorm(experiment.model) };
}

// A window as large as the training set, in micro-batches as they were.
Fix shrinkingTo(std::int64_t samples, const BatchPlan& plan, const BatchSettings& batch)
{
    Fix fix = setting("batch.effective", text(samples));
    if (batch.micro.kind != BatchNumber::Kind::Auto)
        fix.assignments.emplace_back("batch.steps=auto");
    if (plan.micro > samples && batch.micro.isGiven())
        fix.assignments.push_back("batch.micro=" + text(samples));
    return fix;
}

std::vector<Fix> fixesOfEffective(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    if (samples < plan.effective)
        return { shrinkingTo(samples, plan, experiment.batch) };
    return { usingGroupNorm(experiment.model) };
}

// As long as a warm-up can be, whole epochs before steps.
Fix shorteningTheWarmUp(const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    const ScheduleSettings& schedule = experiment.schedule;
    const std::int64_t windows = planEpoch(plan, samples).windows;
    const std::int64_t limit = experiment.run.limitSteps;
    const std::int64_t all = windows * experiment.run.epochs;
    const std::int64_t longest = (limit > 0 ? std::min(all, limit) : all) - 1;
    const std::int64_t epochs = std::min(schedule.warmupEpochs, longest / windows);
    const std::int64_t steps = std::min(schedule.warmupSteps, longest - epochs * windows);
    Fix fix { "Shorten the warm-up", {} };
    if (epochs != schedule.warmupEpochs)
        fix.assignments.push_back("schedule.warmup_epochs=" + text(epochs));
    if (steps != schedule.warmupSteps)
        fix.assignments.push_back("schedule.warmup_steps=" + text(steps));
    return fix;
}

std::vector<Fix> candidates(
    const Experiment& experiment, const std::string& key, std::optional<std::int64_t> samples)
{
    if (key == "batch.steps")
        return fixesOfSteps(experiment.batch);
    if (key == "batch.micro")
        return fixesOfMicro(experiment);
    if (key == "batch.devices")
        return { setting(key, "1") };
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    if (!plan || !samples || *samples < 1)
        return {};
    if (key == "batch.effective")
        return fixesOfEffective(experiment, *plan, *samples);
    if (key == "batch.tail")
        return { setting(key, "flush") };
    if (key == "schedule.warmup_steps" || key == "schedule.warmup_epochs")
        return { shorteningTheWarmUp(experiment, *plan, *samples) };
    return {};
}

} // namespace

Fix setting(const std::string& key, const std::string& value)
{
    return { "Set " + lastWordOf(key) + " to " + value, { key + "=" + value } };
}

Fix resetting(const std::string& key)
{
    static const Experiment defaults;
    const auto value = settingOf(defaults, key);
    return { "Reset " + lastWordOf(key),
        { key + "=" + (value ? settingText(*value) : std::string()) } };
}

Fix usingGroupNorm(const ModelSettings& model)
{
    Fix fix { "Use GroupNorm", { "model.norm=group" } };
    if (model.groups)
        fix.assignments.emplace_back("model.groups=auto");
    return fix;
}

std::optional<Fix> suggestFix(
    const Experiment& experiment, const Finding& finding, std::optional<std::int64_t> samples)
{
    for (const Fix& fix : candidates(experiment, finding.key, samples))
        if (settles(fix, finding, experiment, samples))
            return fix;
    return {};
}

Findings applyFix(Experiment& experiment, const Fix& fix)
{
    Findings findings;
    for (const std::string& assignment : fix.assignments) {
        const Findings more = applySetting(experiment, assignment);
        findings.insert(findings.end(), more.begin(), more.end());
    }
    return findings;
}

} // namespace accrue
