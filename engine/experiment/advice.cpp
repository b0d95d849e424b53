// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/advice.h"

#include "engine/experiment/fixes.h"
#include "engine/experiment/format.h"
#include "engine/experiment/key_table.h"
#include "engine/experiment/models.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace accrue {

namespace {

std::string text(std::int64_t value)
{
    return std::to_string(value);
}

Finding warning(std::string key, std::string message, std::optional<Fix> fix)
{
    return { Finding::Severity::Warning, std::move(key), 0, std::move(message), std::move(fix) };
}

void add(Findings& findings, std::optional<Finding> finding)
{
    if (finding)
        findings.push_back(std::move(*finding));
}

// ---- BatchNorm ----

std::optional<Finding> onSmallMicroBatch(const Experiment& experiment, const BatchPlan& plan)
{
    constexpr std::int64_t kSmallForBatchNorm = 16;
    if (experiment.model.norm != Norm::Batch || plan.micro >= kSmallForBatchNorm)
        return {};
    return warning("batch.micro",
        "BatchNorm's statistics see one micro-batch only, and " + text(plan.micro)
            + (plan.micro == 1 ? " sample gives" : " samples give")
            + " noisy ones; model.norm = \"group\" does not depend on the micro-batch.",
        usingGroupNorm(experiment.model));
}

std::int64_t mostStepsOf(const BatchPlan& plan)
{
    std::int64_t most = plan.steps;
    for (const StepsFrom& entry : plan.schedule)
        most = std::max(most, entry.steps);
    return most;
}

// Where one window weighs more than all that came before it: 1 − (1 − m)^N above a half.
std::optional<Finding> onMomentum(const Experiment& experiment, const BatchPlan& plan)
{
    const ModelSettings& model = experiment.model;
    const std::int64_t steps = mostStepsOf(plan);
    const double weight =
        1 - std::pow(1 - model.batchnormMomentum.value, static_cast<double>(steps));
    const bool taken = model.norm == Norm::Batch && !model.batchnormMomentum.corrected
        && !model.batchnormWindow && !model.batchnormPrecise;
    if (!taken || steps == 1 || weight <= 0.5)
        return {};
    return warning("model.batchnorm_momentum",
        "BatchNorm's running statistics take up each of a window's " + text(steps)
            + " micro-batches, so that one window weighs " + text(std::llround(weight * 100)) + " %"
            + " of what an evaluation sees; \"corrected\" gives a window the weight 0.1.",
        setting("model.batchnorm_momentum", "corrected"));
}

// ---- norms of one sample ----

std::int64_t groupsOf(const ModelSettings& model, const NormSlot& slot)
{
    return model.norm == Norm::Layer ? 1 : model.groups.value_or(automaticGroups(slot.channels));
}

// Groups that leave each slot enough values, and otherwise one group.
std::int64_t fittingGroups(const std::vector<NormSlot>& slots)
{
    constexpr std::int64_t kEnoughValues = 8;
    std::int64_t common = 0;
    std::int64_t smallest = slots.front().channels;
    for (const NormSlot& slot : slots) {
        common = std::gcd(common, slot.channels);
        smallest = std::min(smallest, slot.channels);
    }
    for (std::int64_t groups = smallest / kEnoughValues; groups > 1; --groups)
        if (common % groups == 0)
            return groups;
    return 1;
}

Fix usingNoNorm(const ModelSettings& model)
{
    Fix fix { "Use no normalisation", { "model.norm=none" } };
    if (model.groups)
        fix.assignments.emplace_back("model.groups=auto");
    return fix;
}

// Two values less their mean, over their deviation, are 1 and −1 whatever they were.
std::optional<Finding> onPairs(const Experiment& experiment)
{
    const ModelSettings& model = experiment.model;
    const bool ofSample = model.norm == Norm::Group || model.norm == Norm::Layer;
    if (!ofSample || modelInfo(model.name).seen(model) != ModelInfo::Seen::One)
        return {};
    const std::vector<NormSlot> slots = modelInfo(model.name).normSlots(model);
    const auto isPairs = [&](const NormSlot& slot) {
        return slot.channels / groupsOf(model, slot) == 2;
    };
    const auto slot = std::find_if(slots.begin(), slots.end(), isPairs);
    if (slot == slots.end())
        return {};
    const std::int64_t groups = groupsOf(model, *slot);
    const bool narrow = std::any_of(
        slots.begin(), slots.end(), [](const NormSlot& each) { return each.channels == 2; });
    return warning(model.norm == Norm::Group && !narrow ? "model.groups" : "model.widths",
        slot->name + " normalises "
            + (groups == 1 ? std::string("2 values") : text(groups) + " groups of 2 values")
            + ", and two values become 1 and −1 whatever they are, so that training jumps about; "
            + (narrow ? "choose wider layers or no normalisation." : "choose fewer groups."),
        narrow ? usingNoNorm(model) : setting("model.groups", text(fittingGroups(slots))));
}

// ---- the learning rate ----

std::optional<Finding> onRateOfSchedule(const Experiment& experiment)
{
    const std::vector<StepsFrom>& schedule = experiment.batch.schedule;
    const OptimizerSettings& optimizer = experiment.optimizer;
    const auto [least, most] = std::minmax_element(schedule.begin(), schedule.end(),
        [](const StepsFrom& a, const StepsFrom& b) { return a.steps < b.steps; });
    const bool sgd = optimizer.name == OptimizerName::Sgd;
    const bool summed = sgd && experiment.batch.reduction == Reduction::Sum; // it follows by itself
    if (schedule.empty() || optimizer.lrRule != LrRule::None || summed
        || least->steps == most->steps)
        return {};
    return warning("optimizer.lr_rule",
        "batch.schedule has windows of " + text(least->steps) + " to " + text(most->steps)
            + " micro-batches, but the learning rate stays; usual is one that follows "
            + (sgd ? "in proportion with sgd." : "by the square root with adam and adamw."),
        Fix { sgd ? "Let the rate follow in proportion" : "Let the rate follow by the square root",
            { sgd ? "optimizer.lr_rule=linear" : "optimizer.lr_rule=sqrt" } });
}

double weightOfSample(const BatchPlan& plan)
{
    return 1.0
        / static_cast<double>(plan.reduction == Reduction::Mean ? plan.effective : plan.micro);
}

std::string times(double factor)
{
    return factor > 1 ? formatNumber(factor) + " times" : "1/" + formatNumber(1 / factor) + " of";
}

std::string changeInWords(const BatchPlan& now, const BatchPlan& before)
{
    if (now.reduction != before.reduction)
        return "With this batch.reduction a sample weighs "
            + times(weightOfSample(now) / weightOfSample(before)) + " what it did";
    const double grown = static_cast<double>(now.effective) / static_cast<double>(before.effective);
    return "The effective batch is " + formatCount(now.effective) + ", " + times(grown) + " the "
        + formatCount(before.effective) + " before";
}

// Whether lr says the same in both but for the batch.
bool areComparable(const Experiment& experiment, const Experiment& before)
{
    return experiment.batch.schedule.empty() && before.batch.schedule.empty()
        && experiment.optimizer.name == before.optimizer.name
        && experiment.optimizer.lr == before.optimizer.lr
        && !rangeFinding(experiment, *findKey("optimizer.lr"));
}

} // namespace

Findings advise(const Experiment& experiment, const BatchPlan& plan)
{
    Findings findings;
    add(findings, onSmallMicroBatch(experiment, plan));
    add(findings, onMomentum(experiment, plan));
    add(findings, onPairs(experiment));
    add(findings, onRateOfSchedule(experiment));
    return findings;
}

Findings adviseOnRate(const Experiment& experiment, const Experiment& before)
{
    const std::optional<BatchPlan> now = solveBatch(experiment).plan;
    const std::optional<BatchPlan> then = solveBatch(before).plan;
    if (!now || !then || !areComparable(experiment, before))
        return {};
    const bool sgd = experiment.optimizer.name == OptimizerName::Sgd;
    const double grown = static_cast<double>(now->effective) / static_cast<double>(then->effective);
    const double asked = sgd ? weightOfSample(*then) / weightOfSample(*now) : std::sqrt(grown);
    const double change = sgd ? asked : grown;
    if (change < 2 && change > 0.5)
        return {};
    if (experiment.optimizer.lr * asked > kLargestLearningRate)
        return {};
    const std::string rate = formatNumber(experiment.optimizer.lr * asked, 3);
    return { warning("optimizer.lr",
        changeInWords(*now, *then) + ", with the same learning rate; usual "
            + (sgd ? "with sgd is one in proportion, " : "with adam is one by the square root, ")
            + rate + ".",
        setting("optimizer.lr", rate)) };
}

} // namespace accrue
