// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/fixes.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/resolved.h"

#include <algorithm>
#include <vector>

namespace accrue {

namespace {

// The finding beside the button names the whole key.
std::string lastWordOf(const std::string& key)
{
    return key.substr(key.rfind('.') + 1);
}

// With the findings of checkEpoch if the size of the training set is known.
Resolution judged(const Experiment& experiment, std::optional<std::int64_t> samples)
{
    Resolution resolution = resolve(experiment);
    if (resolution.resolved && samples)
        append(resolution.findings, checkEpoch(experiment, resolution.resolved->plan, *samples));
    return resolution;
}

// A fix settles a finding only if no finding of its kind, with another number in its sentence,
// replaces it. `before` are the findings without the fix.
bool settles(const Fix& fix, const Finding& finding, const Findings& before, Experiment experiment,
    std::optional<std::int64_t> samples)
{
    if (!applyFix(experiment, fix).empty())
        return false;
    const Findings after = judged(experiment, samples).findings;
    return std::none_of(after.begin(), after.end(), [&](const Finding& left) {
        const bool sameKind = left.key == finding.key && left.severity == finding.severity;
        const bool error = left.severity == Finding::Severity::Error;
        return sameKind || (error && !contains(before, left));
    });
}

// The accumulation steps that follow from B and b, then those that follow from B and the
// micro-batch nearest to N.
std::vector<Fix> fixesOfSteps(const BatchSettings& batch)
{
    std::vector<Fix> fixes;
    const std::int64_t effective = batch.effective.value;
    const auto isCount = [](const BatchNumber& number) {
        return number.isGiven() && number.value >= 1;
    };
    if (isCount(batch.effective) && isCount(batch.micro))
        fixes.push_back(
            setting(key::batchSteps, std::to_string(ceilDivide(effective, batch.micro.value))));
    if (isCount(batch.effective) && isCount(batch.steps)) {
        const std::int64_t micro = ceilDivide(effective, batch.steps.value);
        fixes.push_back(setting(key::batchSteps, std::to_string(ceilDivide(effective, micro))));
    }
    return fixes;
}

std::vector<Fix> fixesOfMicro(const Experiment& experiment)
{
    const BatchSettings& batch = experiment.batch;
    if (batch.effective.isGiven() && batch.micro.isGiven()
        && batch.micro.value > batch.effective.value)
        return { setting(key::batchMicro, std::to_string(batch.effective.value)) };
    return { usingGroupNorm(experiment.model) };
}

// A window as large as the training set, in unchanged micro-batches if possible.
Fix shrinkingTo(std::int64_t samples, const BatchPlan& plan, const BatchSettings& batch)
{
    Fix fix = setting(key::batchEffective, std::to_string(samples));
    // B, b and N would otherwise disagree, because N is that of the larger window.
    if (batch.micro.kind != BatchNumber::Kind::Auto)
        fix.assignments.push_back(key::assignment(key::batchSteps, "auto"));
    if (plan.micro > samples && batch.micro.isGiven())
        fix.assignments.push_back(key::assignment(key::batchMicro, std::to_string(samples)));
    return fix;
}

std::vector<Fix> fixesOfEffective(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    if (samples < plan.effective)
        return { shrinkingTo(samples, plan, experiment.batch) };
    return { usingGroupNorm(experiment.model) };
}

// The longest possible warm-up, whole epochs before steps.
Fix shorteningTheWarmUp(const ResolvedExperiment& resolved)
{
    const Experiment& experiment = resolved.experiment;
    const ScheduleSettings& schedule = experiment.schedule;
    const std::int64_t windows = resolved.epoch.windows;
    const std::int64_t limit = experiment.run.limitSteps;
    const std::int64_t all = windows * experiment.run.epochs;
    const std::int64_t longest = (limit > 0 ? std::min(all, limit) : all) - 1;
    const std::int64_t epochs = std::min(schedule.warmupEpochs, longest / windows);
    const std::int64_t steps = std::min(schedule.warmupSteps, longest - epochs * windows);
    Fix fix { Message("fix.shorten_warm_up"), {} };
    if (epochs != schedule.warmupEpochs)
        fix.assignments.push_back(
            key::assignment(key::scheduleWarmupEpochs, std::to_string(epochs)));
    if (steps != schedule.warmupSteps)
        fix.assignments.push_back(key::assignment(key::scheduleWarmupSteps, std::to_string(steps)));
    return fix;
}

std::vector<Fix> candidates(const Experiment& experiment,
    const std::optional<ResolvedExperiment>& resolved, const std::string& key,
    std::optional<std::int64_t> samples)
{
    if (key == key::batchSteps)
        return fixesOfSteps(experiment.batch);
    if (key == key::batchMicro)
        return fixesOfMicro(experiment);
    if (key == key::batchDevices)
        return { setting(key, "1") };
    if (!resolved || !samples || *samples < 1)
        return {};
    if (key == key::batchEffective)
        return fixesOfEffective(experiment, resolved->plan, *samples);
    if (key == key::batchTail)
        return { setting(key, "flush") };
    if (key == key::scheduleWarmupSteps || key == key::scheduleWarmupEpochs)
        return { shorteningTheWarmUp(withEpoch(*resolved, *samples)) };
    return {};
}

} // namespace

Fix setting(const std::string& key, const std::string& value)
{
    return { Message("fix.set", { { "key", lastWordOf(key) }, { "value", value } }),
        { key::assignment(key, value) } };
}

Fix resetting(const std::string& key)
{
    static const Experiment defaults;
    const auto value = settingOf(defaults, key);
    return { Message("fix.reset", { { "key", lastWordOf(key) } }),
        { key::assignment(key, value ? settingText(*value) : std::string()) } };
}

Fix usingNorm(const std::string& norm, const Message& label, const ModelSettings& model)
{
    Fix fix { label, { key::assignment(key::modelNorm, norm) } };
    if (model.groups)
        fix.assignments.push_back(key::assignment(key::modelGroups, "auto"));
    return fix;
}

Fix usingGroupNorm(const ModelSettings& model)
{
    return usingNorm("group", Message("fix.use_group_norm"), model);
}

Fix correctingMomentum()
{
    return { Message("fix.correct_momentum"),
        setting(key::modelBatchnormMomentum, "corrected").assignments };
}

std::optional<Fix> suggestFix(
    const Experiment& experiment, const Finding& finding, std::optional<std::int64_t> samples)
{
    // The finding may be older than the experiment, or of another check; then it is unknown what
    // would settle it.
    const Resolution before = judged(experiment, samples);
    if (!contains(before.findings, finding))
        return {};
    for (const Fix& fix : candidates(experiment, before.resolved, finding.key, samples))
        if (settles(fix, finding, before.findings, experiment, samples))
            return fix;
    return {};
}

Findings applyFix(Experiment& experiment, const Fix& fix)
{
    Findings findings;
    for (const std::string& assignment : fix.assignments)
        append(findings, applySetting(experiment, assignment));
    return findings;
}

} // namespace accrue
