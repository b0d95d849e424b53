// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/advice.h"

#include "engine/base/format.h"
#include "engine/experiment/fixes.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/models.h"
#include "engine/experiment/registries.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace accrue {

namespace {

// ---- BatchNorm ----

std::optional<Finding> onSmallMicroBatch(const Experiment& experiment, const BatchPlan& plan)
{
    constexpr std::int64_t kSmallForBatchNorm = 16;
    if (experiment.model.norm != Norm::Batch || plan.micro >= kSmallForBatchNorm)
        return {};
    return warningAbout(key::batchMicro,
        Message("advice.small_micro_batch", { { "micro", plan.micro } }),
        usingGroupNorm(experiment.model));
}

// When one window outweighs all earlier ones: 1 − (1 − m)^N is more than a half.
std::optional<Finding> onMomentum(const Experiment& experiment, const BatchPlan& plan)
{
    const ModelSettings& model = experiment.model;
    const std::int64_t steps = mostSteps(plan);
    const double weight =
        1 - std::pow(1 - model.batchnormMomentum.value, static_cast<double>(steps));
    const bool isUsed = model.norm == Norm::Batch && !model.batchnormMomentum.corrected
        && !model.batchnormWindow && !model.batchnormPrecise;
    if (!isUsed || steps == 1 || weight <= 0.5)
        return {};
    return warningAbout(key::modelBatchnormMomentum,
        Message("advice.running_statistics",
            { { "steps", steps }, { "weight", std::llround(weight * 100) } }),
        correctingMomentum());
}

// ---- norms of one sample ----

std::int64_t groupsOf(const ModelSettings& model, const NormSlot& slot)
{
    return model.norm == Norm::Layer ? 1 : model.groups.value_or(automaticGroups(slot.channels));
}

// A number of groups that leaves enough values in each group of every slot; 1 if there is none.
std::int64_t fittingGroups(const std::vector<NormSlot>& slots)
{
    constexpr std::int64_t kEnoughValues = 8;
    const std::vector<std::int64_t> fitting = groupsThatFit(slots, kEnoughValues);
    return fitting.empty() ? 1 : fitting.back();
}

// Two values minus their mean, divided by their deviation, are 1 and −1 whatever they were.
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
    const bool narrow = std::any_of(
        slots.begin(), slots.end(), [](const NormSlot& each) { return each.channels == 2; });
    return warningAbout(model.norm == Norm::Group && !narrow ? key::modelGroups : key::modelWidths,
        Message(narrow ? "advice.pairs_of_narrow_layer" : "advice.pairs",
            { { "layer", slot->name }, { "groups", groupsOf(model, *slot) } }),
        narrow ? usingNorm("none", Message("fix.use_no_norm"), model)
               : setting(key::modelGroups, std::to_string(fittingGroups(slots))));
}

// ---- the learning rate ----

// More than ten times the largest usual one. With the sum, the gradient that sgd follows is that of
// all N micro-batches.
std::optional<Finding> onLargeRate(const Experiment& experiment, const BatchPlan& plan)
{
    const OptimizerInfo& info = optimizerInfo(experiment.optimizer.name);
    const double usual = info.normalizesGradient ? 0.01 : 1;
    const bool summed = !info.normalizesGradient && plan.reduction == Reduction::Sum;
    const double times = summed ? static_cast<double>(mostSteps(plan)) : 1;
    if (experiment.optimizer.lr * times <= 10 * usual)
        return {};
    return warningAbout(key::optimizerLr,
        Message(summed ? "advice.large_rate_of_sum" : "advice.large_rate",
            { { "rate", formatNumber(experiment.optimizer.lr) }, { "usual", formatNumber(usual) },
                { "optimizer", std::string(info.word) } }),
        setting(key::optimizerLr, formatNumber(usual / 10 / times, 2)));
}

Finding rateRuleAdvice(std::int64_t least, std::int64_t most, const OptimizerInfo& optimizer)
{
    const bool byRoot = optimizer.normalizesGradient;
    return warningAbout(key::optimizerLrRule,
        Message(byRoot ? "advice.rate_by_square_root" : "advice.rate_in_proportion",
            { { "least", least }, { "most", most }, { "optimizer", std::string(optimizer.word) } }),
        Fix { Message(byRoot ? "fix.scale_rate_by_root" : "fix.scale_rate"),
            { key::assignment(key::optimizerLrRule, byRoot ? "sqrt" : "linear") } });
}

std::optional<Finding> onRateOfSchedule(const Experiment& experiment)
{
    const std::vector<StepsFrom>& schedule = experiment.batch.schedule;
    const OptimizerSettings& optimizer = experiment.optimizer;
    const auto [least, most] = std::minmax_element(schedule.begin(), schedule.end(),
        [](const StepsFrom& a, const StepsFrom& b) { return a.steps < b.steps; });
    const OptimizerInfo& info = optimizerInfo(optimizer.name);
    // With the sum, the update of an optimizer that retains the gradient's length already grows
    // with N.
    const bool summed = !info.normalizesGradient && experiment.batch.reduction == Reduction::Sum;
    if (schedule.empty() || optimizer.lrRule != LrRule::None || summed
        || least->steps == most->steps)
        return {};
    return rateRuleAdvice(least->steps, most->steps, info);
}

double weightOfSample(const BatchPlan& plan)
{
    return 1.0
        / static_cast<double>(
            plan.reduction == Reduction::Mean ? plan.effective : largestSlice(plan));
}

// Larger: "4 times"; smaller: "1/4 of".
Message times(double factor)
{
    if (factor > 1)
        return Message("advice.times_as_much", { { "factor", factor } });
    return Message("advice.part_of", { { "factor", 1 / factor } });
}

Message changeOfBatch(const BatchPlan& now, const BatchPlan& before)
{
    if (now.reduction != before.reduction)
        return Message("advice.weight_changed",
            { { "times", times(weightOfSample(now) / weightOfSample(before)) } });
    const double grown = static_cast<double>(now.effective) / static_cast<double>(before.effective);
    return Message("advice.batch_changed",
        { { "now", now.effective }, { "times", times(grown) }, { "before", before.effective } });
}

Message rateAdvice(const Message& change, const std::string& rate, const OptimizerInfo& optimizer)
{
    return Message(optimizer.normalizesGradient ? "advice.rate_scales_by_root"
                                                : "advice.rate_scales_in_proportion",
        { { "change", change }, { "rate", rate }, { "optimizer", std::string(optimizer.word) } });
}

// Whether lr means the same in both, apart from the batch.
bool areComparable(const Experiment& experiment, const Experiment& before)
{
    return experiment.batch.schedule.empty() && before.batch.schedule.empty()
        && experiment.optimizer.name == before.optimizer.name
        && experiment.optimizer.lr == before.optimizer.lr
        && !rangeFinding(experiment, *findKey(key::optimizerLr));
}

} // namespace

Findings advise(const Experiment& experiment, const BatchPlan& plan)
{
    Findings findings;
    for (const std::optional<Finding>& found :
        { onSmallMicroBatch(experiment, plan), onMomentum(experiment, plan), onPairs(experiment),
            onLargeRate(experiment, plan), onRateOfSchedule(experiment) })
        if (found)
            findings.push_back(*found);
    return findings;
}

Findings adviseOnRate(const ResolvedExperiment& now, const ResolvedExperiment& before)
{
    const Experiment& experiment = now.experiment;
    if (!areComparable(experiment, before.experiment))
        return {};
    const OptimizerInfo& info = optimizerInfo(experiment.optimizer.name);
    const bool inProportion = !info.normalizesGradient;
    const double grown =
        static_cast<double>(now.plan.effective) / static_cast<double>(before.plan.effective);
    const double usual =
        inProportion ? weightOfSample(before.plan) / weightOfSample(now.plan) : std::sqrt(grown);
    // The square root of the batch is compared by the batch itself: a threshold of two on the root
    // would be one of four on B.
    const double change = inProportion ? usual : grown;
    if (change < 2 && change > 0.5)
        return {};
    if (experiment.optimizer.lr * usual > kLargestLearningRate)
        return {};
    const std::string rate = formatNumber(experiment.optimizer.lr * usual, 3);
    return { warningAbout(key::optimizerLr,
        rateAdvice(changeOfBatch(now.plan, before.plan), rate, info),
        setting(key::optimizerLr, rate)) };
}

} // namespace accrue
