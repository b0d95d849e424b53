// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/explanation.h"

#include "engine/experiment/epoch_plan.h"
#include "engine/experiment/format.h"
#include "engine/experiment/published_defects.h"
#include "engine/experiment/window_sequence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

using Topic = ExplanationPart::Topic;
using Sentences = std::vector<std::string>;
using Samples = std::optional<std::int64_t>;

std::string counted(std::int64_t count, const std::string& noun)
{
    return formatCount(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string samplesOf(std::int64_t count)
{
    return counted(count, "sample");
}

std::string microBatches(std::int64_t count)
{
    return formatCount(count) + (count == 1 ? " micro-batch" : " micro-batches");
}

bool isEven(const std::vector<std::int64_t>& slices)
{
    return slices.front() == slices.back(); // only the last ones may be smaller
}

// "4 micro-batches of 32", "6 micro-batches (5 × 25 + 1 × 3)"
std::string slicesText(const std::vector<std::int64_t>& sizes)
{
    const std::string count = microBatches(static_cast<std::int64_t>(sizes.size()));
    if (isEven(sizes))
        return count + " of " + formatCount(sizes.front());
    std::string text;
    for (auto size = sizes.begin(); size != sizes.end();) {
        const auto next =
            std::find_if(size, sizes.end(), [&](std::int64_t other) { return other != *size; });
        text += (text.empty() ? "" : " + ") + formatCount(next - size) + " × " + formatCount(*size);
        size = next;
    }
    return count + " (" + text + ")";
}

// ---- what an update is made of ----

std::string solvedText(const Experiment& experiment, const BatchPlan& plan)
{
    const BatchSettings& asked = experiment.batch;
    switch (plan.solved) {
    case BatchPlan::Solved::None:
        return "B, b and N are all given, and agree: N = ceil(B / b).";
    case BatchPlan::Solved::Devices:
        return "B, b and N are given, and leave W = 1 device.";
    case BatchPlan::Solved::Steps:
        return "N is solved: ceil(B / b) = ceil(" + formatCount(plan.effective) + " / "
            + formatCount(plan.micro) + ")"
            + (asked.micro.isGiven() ? "." : ", where b is the default or, if that is smaller, B.");
    case BatchPlan::Solved::Micro:
        return "b is solved: ceil(B / N) = ceil(" + formatCount(plan.effective) + " / "
            + formatCount(asked.steps.isGiven() ? asked.steps.value : plan.steps) + ").";
    case BatchPlan::Solved::Effective:
        break;
    }
    std::string defaults;
    if (!asked.micro.isGiven())
        defaults = asked.steps.isGiven() || !asked.schedule.empty()
            ? ", where b is the default"
            : ", where b and N are the defaults";
    else if (!asked.steps.isGiven() && asked.schedule.empty())
        defaults = ", where N is the default";
    return "B is solved: b × N" + defaults + ".";
}

std::string weightText(const BatchPlan& plan, const std::vector<std::int64_t>& slices)
{
    if (plan.reduction == Reduction::Mean)
        return "Reduction mean: each sample weighs 1/" + formatCount(plan.effective)
            + ", so the gradient is that of the mean loss over the window, however it is cut.";
    std::string text = "Reduction sum: each sample weighs 1/" + formatCount(slices.front());
    if (!isEven(slices))
        text += ", in the smallest micro-batch 1/" + formatCount(slices.back());
    return text + ", so the mean gradients of the " + microBatches(plan.steps) + " are added.";
}

ExplanationPart batchPart(const Experiment& experiment, const BatchPlan& plan)
{
    const std::vector<std::int64_t> slices = sliceSizes(plan, plan.effective);
    const std::string first = plan.schedule.empty() ? "An update" : "An update at first";
    Sentences sentences { first + " is made of B = " + samplesOf(plan.effective)
        + ": N = " + slicesText(slices) + "." };
    sentences.push_back(solvedText(experiment, plan));
    sentences.push_back(weightText(plan, slices));
    if (plan.steps > 1)
        sentences.emplace_back("Memory holds one micro-batch at a time; the gradients of the "
                               "window are added in place, so N costs none.");
    return { Topic::Batch, "Batch", sentences };
}

// ---- batch.schedule ----

double rateOf(const Experiment& experiment, std::int64_t steps)
{
    const double ratio =
        static_cast<double>(steps) / static_cast<double>(experiment.batch.schedule.front().steps);
    const double lr = experiment.optimizer.lr;
    switch (experiment.optimizer.lrRule) {
    case LrRule::Linear:
        return lr * ratio;
    case LrRule::SquareRoot:
        return lr * std::sqrt(ratio);
    case LrRule::None:
        break;
    }
    return lr;
}

std::string ruleText(LrRule rule)
{
    switch (rule) {
    case LrRule::Linear:
        return "The learning rate follows N in proportion.";
    case LrRule::SquareRoot:
        return "The learning rate follows the square root of N.";
    case LrRule::None:
        break;
    }
    return "The learning rate does not follow N.";
}

ExplanationPart stepsPart(const Experiment& experiment, const BatchPlan& plan)
{
    Sentences sentences;
    for (const StepsFrom& entry : plan.schedule)
        sentences.push_back("From "
            + std::string(entry.unit == StepsFrom::Unit::Epoch ? "epoch " : "step ")
            + formatCount(entry.from) + " on N is " + formatCount(entry.steps) + ", B is "
            + formatCount(plan.micro * entry.steps) + " and the learning rate "
            + formatNumber(rateOf(experiment, entry.steps)) + ".");
    sentences.push_back(ruleText(experiment.optimizer.lrRule)
        + " Epochs and steps are counted from 0; a window keeps the N with which it opened.");
    return { Topic::Steps, "Steps over time", sentences };
}

// ---- windows and the tail of an epoch ----

std::string carriedText(const Experiment& experiment, const BatchPlan& plan, const EpochPlan& epoch)
{
    const std::int64_t missing = plan.effective - epoch.tailSamples;
    std::string text = "Tail carry: they open a window that the next epoch"
        + (missing <= epoch.samples ? "'s first " + samplesOf(missing) + " fill"
                                    : std::string("s fill"));
    if (plan.schedule.empty()) {
        const std::int64_t left =
            (epoch.tailSamples * (experiment.run.epochs % plan.effective)) % plan.effective;
        text += left == 0 ? "; after the last epoch none are left"
                          : "; the " + formatCount(left)
                + " that are left after the last epoch "
                  "are flushed";
    }
    return text + ".";
}

std::string tailText(const Experiment& experiment, const BatchPlan& plan, const EpochPlan& epoch)
{
    switch (plan.tail) {
    case Tail::Drop:
        return "Tail drop: they are left out"
            + std::string(experiment.data.shuffle
                    ? "; the next epoch, in another order, leaves out others."
                    : " of every epoch, always the same ones.");
    case Tail::Carry:
        return carriedText(experiment, plan, epoch);
    case Tail::Flush:
        break;
    }
    const std::vector<std::int64_t> slices = sliceSizes(plan, epoch.tailSamples);
    return "Tail flush: they are one more update, of " + slicesText(slices)
        + (plan.reduction == Reduction::Mean
                ? ", each sample weighing 1/" + formatCount(epoch.tailSamples) + "."
                : ", whose mean gradients are added.");
}

void addFirstEpoch(
    Sentences& sentences, const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    const bool changes =
        plan.schedule.size() > 1 && plan.schedule.front().unit == StepsFrom::Unit::Step;
    if (changes) {
        sentences.push_back("The first epoch's " + samplesOf(samples) + " make "
            + counted(
                WindowSequence(plan, samples, experiment.run.epochs).updatesWithin(1), "update")
            + ".");
        return;
    }
    const EpochPlan epoch = planEpoch(plan, samples);
    const std::string whose = plan.schedule.size() > 1 ? "The first epoch's " : "An epoch's ";
    sentences.push_back(whose + samplesOf(samples) + " are "
        + counted(samples / plan.effective, "full window") + " and "
        + (epoch.tailSamples == 0 ? "no tail."
                                  : "a tail of " + samplesOf(epoch.tailSamples) + "."));
    if (epoch.tailSamples > 0)
        sentences.push_back(tailText(experiment, plan, epoch));
}

ExplanationPart epochPart(const Experiment& experiment, const BatchPlan& plan, Samples samples)
{
    ExplanationPart part { Topic::Epoch, "Epochs", {} };
    if (!samples) {
        part.sentences.emplace_back("How an epoch falls into windows depends on the size of the "
                                    "training set, which is not known here.");
        return part;
    }
    addFirstEpoch(part.sentences, experiment, plan, *samples);
    const std::int64_t epochs = experiment.run.epochs;
    const std::int64_t all = WindowSequence(plan, *samples, epochs).updatesWithin(epochs);
    const std::int64_t done = totalUpdates(experiment, plan, *samples);
    part.sentences.push_back("The run makes " + counted(done, "update") + " in "
        + counted(epochs, "epoch")
        + (done < all ? ", at which run.limit_steps ends it; there would be " + formatCount(all)
                      : std::string())
        + ".");
    return part;
}

// ---- what the learning rate means ----

// What `sum` multiplies: the update is that of `mean` with these keys in place of the given ones.
Sentences keysOfMean(const OptimizerSettings& optimizer, double steps)
{
    const bool sgd = optimizer.name == OptimizerName::Sgd;
    Sentences keys;
    const auto add = [&](const char* key, double value) {
        if (value > 0)
            keys.push_back(key + (" = " + formatNumber(value)));
    };
    add("lr", sgd ? optimizer.lr * steps : 0.0);
    add("eps", sgd ? 0.0 : optimizer.eps / steps);
    // adamw's decay does not go through the gradient.
    add("weight_decay",
        optimizer.name == OptimizerName::AdamW ? 0.0 : optimizer.weightDecay / steps);
    add("clip_norm", optimizer.clipNorm / steps);
    add("clip_value", optimizer.clipValue / steps);
    return keys;
}

std::string joined(const Sentences& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string sumOfSgd(const Experiment& experiment, std::int64_t steps)
{
    const OptimizerSettings& optimizer = experiment.optimizer;
    const auto n = static_cast<double>(steps);
    if (keysOfMean(optimizer, n).size() == 1)
        return "For SGD with equal micro-batches, without weight decay and clipping, that is N "
               "times the rate of mean: lr "
            + formatNumber(optimizer.lr) + " here is lr " + formatNumber(optimizer.lr * n)
            + " there.";
    return "That is not just N times the rate of mean, because sum does not multiply weight decay "
           "and clipping: the same update by mean has "
        + joined(keysOfMean(optimizer, n)) + ".";
}

std::string sumOfAdam(const Experiment& experiment, std::int64_t steps)
{
    return "That is not N times the rate of mean: Adam divides a gradient by its own size, so that "
           "its length hardly counts. The same update by mean has the same lr and "
        + joined(keysOfMean(experiment.optimizer, static_cast<double>(steps))) + ".";
}

Sentences ratesOfSum(const Experiment& experiment, const BatchPlan& plan)
{
    const std::vector<std::int64_t> slices = sliceSizes(plan, plan.effective);
    if (plan.steps == 1)
        return { "With N 1 sum is mean: lr is the rate of the mean gradient." };
    if (!isEven(slices))
        return { "Sum adds the mean gradients of micro-batches of different sizes: a sample of "
                 "the smallest counts "
            + formatNumber(static_cast<double>(slices.front()) / static_cast<double>(slices.back()))
            + " times one of the largest, so lr is no multiple of the rate of mean." };
    Sentences sentences { "Sum makes the gradient N = " + formatCount(plan.steps)
        + " times as long as mean." };
    sentences.push_back(experiment.optimizer.name == OptimizerName::Sgd
            ? sumOfSgd(experiment, plan.steps)
            : sumOfAdam(experiment, plan.steps));
    return sentences;
}

Sentences ratesOfMean(const Experiment& experiment, const BatchPlan& plan)
{
    const OptimizerSettings& optimizer = experiment.optimizer;
    Sentences sentences { "lr " + formatNumber(optimizer.lr)
        + " is the rate of the window's mean gradient: another cut of the same B needs no other." };
    const auto n = static_cast<double>(plan.steps);
    const bool plain = optimizer.name == OptimizerName::Sgd && keysOfMean(optimizer, n).size() == 1;
    if (plan.steps > 1 && plain && isEven(sliceSizes(plan, plan.effective)))
        sentences.push_back("A program that adds the micro-batches' gradients without dividing "
                            "makes the same update at lr "
            + formatNumber(optimizer.lr / n) + ".");
    return sentences;
}

void addRateOfTail(Sentences& sentences, const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t tail = plan.schedule.empty() ? samples % plan.effective : 0;
    if (tail == 0 || plan.tail != Tail::Flush)
        return;
    const auto slices = static_cast<std::int64_t>(sliceSizes(plan, tail).size());
    if (plan.reduction == Reduction::Mean)
        sentences.push_back("The flushed tail's update has the same rate, for the mean of "
            + samplesOf(tail) + ".");
    else if (slices < plan.steps)
        sentences.push_back("The flushed tail adds " + microBatches(slices) + " in place of "
            + formatCount(plan.steps) + ", so its update is that much shorter.");
}

ExplanationPart learningRatePart(
    const Experiment& experiment, const BatchPlan& plan, Samples samples)
{
    Sentences sentences = plan.reduction == Reduction::Mean ? ratesOfMean(experiment, plan)
                                                            : ratesOfSum(experiment, plan);
    if (samples)
        addRateOfTail(sentences, plan, *samples);
    sentences.emplace_back("Schedule, momentum, weight decay and clipping act once an update, "
                           "never once a micro-batch.");
    return { Topic::LearningRate, "Learning rate", sentences };
}

// ---- what the norm layers see ----

std::string runningText(const ModelSettings& model, std::int64_t steps)
{
    const auto n = static_cast<double>(steps);
    const double m = model.batchnormMomentum.value;
    if (model.batchnormWindow)
        return "Its running statistics take up each window once, by the pooled mean and variance "
               "of what the layer was given; in the first norm layer those are the whole window's, "
               "deeper ones were given what was normalised by micro-batch.";
    if (model.batchnormMomentum.corrected)
        return "Its running statistics take up each micro-batch with the corrected weight 1 - "
               "0.9^(1/N) = "
            + formatNumber(1 - std::pow(0.9, 1 / n))
            + ", each window by its own N, so that a window weighs 0.1 as one batch would.";
    return "Its running statistics take up each micro-batch with the weight " + formatNumber(m)
        + ", so that a window weighs 1 - " + formatNumber(1 - m) + "^" + formatCount(steps) + " = "
        + formatNumber(1 - std::pow(1 - m, n)) + ", where one batch would weigh " + formatNumber(m)
        + ".";
}

void addBatchNorm(Sentences& sentences, const ModelSettings& model, const BatchPlan& plan)
{
    if (plan.steps == 1)
        sentences.push_back("BatchNorm's statistics are those of the whole window of "
            + samplesOf(plan.effective) + ": there is one micro-batch.");
    else
        sentences.push_back("BatchNorm's statistics are those of a micro-batch of "
            + samplesOf(plan.micro) + ", not of the window's " + formatCount(plan.effective)
            + ": accumulation does not make them a big batch's.");
    if (plan.steps > 1)
        sentences.push_back(runningText(model, plan.steps));
    if (model.batchnormPrecise)
        sentences.emplace_back("Before each evaluation they are recomputed from training "
                               "micro-batches with the parameters as they then are.");
}

std::string eachSampleAlone(Norm norm)
{
    switch (norm) {
    case Norm::Group:
        return "GroupNorm sees each sample alone, a group of its channels together";
    case Norm::Layer:
        return "LayerNorm sees each sample alone, all its channels together";
    case Norm::Instance:
        return "InstanceNorm sees each sample alone, each of its channels for itself";
    case Norm::None:
    case Norm::Batch:
        break;
    }
    return "The network has no norm layers, so each sample is seen alone";
}

ExplanationPart normalizationPart(const Experiment& experiment, const BatchPlan& plan)
{
    ExplanationPart part { Topic::Normalization, "Normalisation", {} };
    if (experiment.model.norm == Norm::Batch)
        addBatchNorm(part.sentences, experiment.model, plan);
    else
        part.sentences.push_back(eachSampleAlone(experiment.model.norm)
            + ": neither b nor N changes what it computes of it.");
    return part;
}

} // namespace

std::vector<ExplanationPart> explain(
    const Experiment& experiment, const BatchPlan& plan, std::optional<std::int64_t> samples)
{
    std::vector<ExplanationPart> parts { batchPart(experiment, plan) };
    if (!plan.schedule.empty())
        parts.push_back(stepsPart(experiment, plan));
    parts.push_back(epochPart(experiment, plan, samples));
    parts.push_back(learningRatePart(experiment, plan, samples));
    parts.push_back(normalizationPart(experiment, plan));
    parts.push_back(
        { Topic::Defects, "Published defects", publishedDefects(experiment, plan, samples) });
    return parts;
}

const char* wordOf(ExplanationPart::Topic topic)
{
    switch (topic) {
    case Topic::Batch:
        return "batch";
    case Topic::Steps:
        return "steps";
    case Topic::Epoch:
        return "epoch";
    case Topic::LearningRate:
        return "learning_rate";
    case Topic::Normalization:
        return "normalization";
    case Topic::Defects:
        break;
    }
    return "defects";
}

} // namespace accrue
