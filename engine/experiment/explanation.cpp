// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/explanation.h"

#include "engine/base/format.h"
#include "engine/base/sentences.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/registries.h"
#include "engine/experiment/window_sequence.h"

#include <cmath>
#include <string>

// The plan in sentences for `accrue explain` and the form. Every number comes from the plan, the
// epoch or the window sequence, which also train; nothing is solved a second time here, so that the
// words cannot disagree with the run.
namespace accrue {

namespace {

using Topic = ExplanationPart::Topic;
using Sentences = std::vector<Message>;

bool isEven(const std::vector<std::int64_t>& slices)
{
    return slices.front() == slices.back(); // only the last ones may be smaller
}

// "5 × 25 + 1 × 3"
std::string slicesBySize(const std::vector<std::int64_t>& sizes)
{
    std::string text;
    for (const auto& [count, samples] : groupsOf(sizes))
        text += (text.empty() ? "" : " + ") + formatCount(count) + " × " + formatCount(samples);
    return text;
}

// With several devices: the micro-batches of each, if all are of one size, or the sizes of what all
// devices compute side by side.
Message slicesOnDevices(const BatchPlan& plan, const std::vector<std::int64_t>& sizes)
{
    if (isEven(sizes) && sizes.front() % plan.devices == 0)
        return Message("explain.even_slices_on_each",
            { { "n", sizes.size() }, { "size", sizes.front() / plan.devices },
                { "devices", plan.devices } });
    return Message("explain.slices_on_all",
        { { "n", sizes.size() }, { "sizes", slicesBySize(sizes) }, { "devices", plan.devices } });
}

Message slicesText(const BatchPlan& plan, const std::vector<std::int64_t>& sizes)
{
    if (plan.devices > 1)
        return slicesOnDevices(plan, sizes);
    if (isEven(sizes))
        return Message("explain.even_slices", { { "n", sizes.size() }, { "size", sizes.front() } });
    return Message(
        "explain.uneven_slices", { { "n", sizes.size() }, { "sizes", slicesBySize(sizes) } });
}

// ---- what an update consists of ----

Message solvedEffective(const BatchSettings& asked, const BatchPlan& plan)
{
    const bool microGiven = asked.micro.isGiven();
    const bool stepsGiven = asked.steps.isGiven() || !asked.schedule.empty();
    return Message(microGiven && stepsGiven ? "explain.effective_solved"
            : microGiven                    ? "explain.effective_with_default_steps"
            : stepsGiven                    ? "explain.effective_with_default_micro"
                                            : "explain.effective_by_default",
        { { "product", std::string(plan.devices == 1 ? "b × N" : "b × N × W") } });
}

// A letter or number as the divisor of B, "b" or "32", and with several devices "(b × W)" or
// "(32 × 2)": a formula has no words to translate.
std::string divisor(const std::string& factor, const BatchPlan& plan, const std::string& devices)
{
    return plan.devices == 1 ? factor : "(" + factor + " × " + devices + ")";
}

std::string divisor(std::int64_t factor, const BatchPlan& plan)
{
    return divisor(formatCount(factor), plan, formatCount(plan.devices));
}

Message solvedText(const Experiment& experiment, const BatchPlan& plan)
{
    const BatchSettings& asked = experiment.batch;
    switch (plan.solved) {
    case BatchPlan::Solved::None:
        return Message(
            plan.devices == 1 ? "explain.nothing_solved" : "explain.nothing_solved_for_devices");
    case BatchPlan::Solved::Devices:
        return Message("explain.devices_solved", { { "devices", plan.devices } });
    case BatchPlan::Solved::Steps:
        return Message(
            asked.micro.isGiven() ? "explain.steps_solved" : "explain.steps_solved_by_default",
            { { "effective", plan.effective }, { "divisor", divisor("b", plan, "W") },
                { "value", divisor(plan.micro, plan) } });
    case BatchPlan::Solved::Micro:
        return Message("explain.micro_solved",
            { { "effective", plan.effective }, { "divisor", divisor("N", plan, "W") },
                { "value",
                    divisor(asked.steps.isGiven() ? asked.steps.value : plan.steps, plan) } });
    case BatchPlan::Solved::Effective:
        break;
    }
    return solvedEffective(asked, plan);
}

// A clause; empty for one device.
Message overDevices(const BatchPlan& plan)
{
    return plan.devices == 1 ? Message()
                             : Message("explain.over_devices", { { "devices", plan.devices } });
}

Message weightText(const BatchPlan& plan, const std::vector<std::int64_t>& slices)
{
    if (plan.reduction == Reduction::Mean)
        return Message("explain.weight_of_mean", { { "effective", plan.effective } });
    if (isEven(slices))
        return Message("explain.weight_of_sum",
            { { "micro", slices.front() }, { "steps", plan.steps },
                { "over", overDevices(plan) } });
    return Message("explain.weights_of_sum",
        { { "micro", slices.front() }, { "smallest", slices.back() }, { "steps", plan.steps },
            { "over", overDevices(plan) } });
}

Message updateText(const BatchPlan& plan, const std::vector<std::int64_t>& slices)
{
    return Message(plan.schedule.empty() ? "explain.update" : "explain.first_update",
        { { "effective", plan.effective }, { "slices", slicesText(plan, slices) } });
}

ExplanationPart batchPart(const Experiment& experiment, const BatchPlan& plan)
{
    const std::vector<std::int64_t> slices = sliceSizes(plan, plan.effective);
    Sentences sentences { updateText(plan, slices), solvedText(experiment, plan),
        weightText(plan, slices) };
    if (experiment.batch.devices.isAll())
        sentences.insert(
            sentences.begin() + 1, Message("explain.all_devices", { { "devices", plan.devices } }));
    if (plan.steps > 1)
        sentences.push_back(Message("explain.memory"));
    return { Topic::Batch, Message("explain.batch"), sentences };
}

// ---- batch.schedule: the N and the rate of each entry ----

Message ruleText(LrRule rule)
{
    return Message(rule == LrRule::Linear ? "explain.rate_in_proportion"
            : rule == LrRule::SquareRoot  ? "explain.rate_by_square_root"
                                          : "explain.rate_without_rule");
}

Message entryText(const OptimizerSettings& optimizer, const BatchPlan& plan, const StepsFrom& entry)
{
    const double rate = optimizer.lr * rateFactor(optimizer.lrRule, entry.steps, plan.steps);
    return Message(
        entry.unit == StepsFrom::Unit::Epoch ? "explain.from_epoch" : "explain.from_step",
        { { "from", entry.from }, { "steps", entry.steps },
            { "effective", largestSlice(plan) * entry.steps }, { "rate", rate } });
}

ExplanationPart stepsPart(const Experiment& experiment, const BatchPlan& plan)
{
    Sentences sentences;
    for (const StepsFrom& entry : plan.schedule)
        sentences.push_back(entryText(experiment.optimizer, plan, entry));
    sentences.push_back(ruleText(experiment.optimizer.lrRule));
    sentences.push_back(Message("explain.steps_of_a_window"));
    return { Topic::Steps, Message("explain.steps"), sentences };
}

// ---- windows and the tail of an epoch ----

Message carriedText(const BatchPlan& plan, const EpochPlan& epoch)
{
    const std::int64_t missing = plan.effective - epoch.tailSamples;
    if (missing <= epoch.samples)
        return Message("explain.tail_carried", { { "missing", missing } });
    return Message("explain.tail_carried_far");
}

// For the samples that do not fill a window at the end of a run that carries its tails.
Message carriedToTheEnd(std::int64_t epochs, const BatchPlan& plan, const EpochPlan& epoch)
{
    // epochs · samples mod B; reduced before the product, so that large counts of epochs fit 64
    // bits.
    const std::int64_t left = (epoch.tailSamples * (epochs % plan.effective)) % plan.effective;
    if (left == 0)
        return Message("explain.no_tail_at_the_end");
    return Message("explain.tail_at_the_end", { { "left", left } });
}

Message flushedText(const BatchPlan& plan, const EpochPlan& epoch)
{
    const Message slices = slicesText(plan, sliceSizes(plan, epoch.tailSamples));
    if (plan.reduction == Reduction::Mean)
        return Message(
            "explain.tail_flushed", { { "slices", slices }, { "tail", epoch.tailSamples } });
    return Message("explain.tail_flushed_by_sum", { { "slices", slices } });
}

void addTail(Sentences& sentences, const ResolvedExperiment& resolved)
{
    const auto& [experiment, plan, epoch] = resolved;
    switch (plan.tail) {
    case Tail::Drop:
        return sentences.push_back(Message(
            experiment.data.shuffle ? "explain.tail_dropped" : "explain.same_tail_dropped"));
    case Tail::Flush:
        return sentences.push_back(flushedText(plan, epoch));
    case Tail::Carry:
        sentences.push_back(carriedText(plan, epoch));
        if (plan.schedule.empty())
            sentences.push_back(carriedToTheEnd(experiment.run.epochs, plan, epoch));
    }
}

Message tailSize(std::int64_t samples)
{
    if (samples == 0)
        return Message("explain.no_tail");
    return Message("explain.a_tail", { { "n", samples } });
}

// For the first epoch only, if the schedule changes later ones.
Message windowsText(const BatchPlan& plan, const EpochPlan& epoch)
{
    return Message(
        plan.schedule.size() > 1 ? "explain.first_epoch_windows" : "explain.epoch_windows",
        { { "samples", epoch.samples }, { "windows", epoch.samples / plan.effective },
            { "tail", tailSize(epoch.tailSamples) } });
}

void addFirstEpoch(Sentences& sentences, const ResolvedExperiment& resolved)
{
    const auto& [experiment, plan, epoch] = resolved;
    const bool changes =
        plan.schedule.size() > 1 && plan.schedule.front().unit == StepsFrom::Unit::Step;
    if (changes) {
        const WindowSequence windows(plan, epoch.samples, experiment.run.epochs);
        return sentences.push_back(Message("explain.first_epoch_updates",
            { { "samples", epoch.samples }, { "updates", windows.updatesWithin(1) } }));
    }
    sentences.push_back(windowsText(plan, epoch));
    if (epoch.tailSamples > 0)
        addTail(sentences, resolved);
}

Message updatesText(std::int64_t updates, std::int64_t all, std::int64_t epochs)
{
    if (updates == all)
        return Message("explain.updates", { { "updates", updates }, { "epochs", epochs } });
    return Message("explain.limited_updates",
        { { "updates", updates }, { "epochs", epochs }, { "all", all } });
}

ExplanationPart epochPart(const ResolvedExperiment& resolved)
{
    const std::int64_t samples = resolved.epoch.samples;
    ExplanationPart part { Topic::Epoch, Message("explain.epochs"), {} };
    if (samples == 0) {
        part.sentences.push_back(Message("explain.unknown_size"));
        return part;
    }
    addFirstEpoch(part.sentences, resolved);
    const std::int64_t epochs = resolved.experiment.run.epochs;
    const std::int64_t all = WindowSequence(resolved.plan, samples, epochs).updatesWithin(epochs);
    const std::int64_t done = totalUpdates(resolved.experiment, resolved.plan, samples);
    part.sentences.push_back(updatesText(done, all, epochs));
    return part;
}

// ---- what the learning rate means ----

// What `sum` multiplies: the update is that of `mean` with these keys instead of the given ones.
std::vector<std::string> keysOfMean(const OptimizerSettings& optimizer, double steps)
{
    const OptimizerInfo& info = optimizerInfo(optimizer.name);
    std::vector<std::string> keys;
    const auto add = [&](const char* key, double value) {
        if (value > 0)
            keys.push_back(key + (" = " + formatNumber(value)));
    };
    // A gradient that is N times as long: it acts like N times the rate if its length counts; if
    // the optimizer divides by it, only eps is relatively smaller. Decay and limits do not grow
    // with it, so they are N times weaker.
    add("lr", info.normalizesGradient ? 0.0 : optimizer.lr * steps);
    add("eps", info.normalizesGradient ? optimizer.eps / steps : 0.0);
    add("weight_decay", info.decouplesDecay ? 0.0 : optimizer.weightDecay / steps);
    add("clip_norm", optimizer.clipNorm / steps);
    add("clip_value", optimizer.clipValue / steps);
    return keys;
}

Message sumInProportion(const Experiment& experiment, std::int64_t steps)
{
    const OptimizerSettings& optimizer = experiment.optimizer;
    const auto n = static_cast<double>(steps);
    const std::vector<std::string> keys = keysOfMean(optimizer, n);
    if (keys.size() == 1)
        return Message(
            "explain.sum_of_sgd", { { "rate", optimizer.lr }, { "of_mean", optimizer.lr * n } });
    return Message("explain.sum_of_sgd_with_decay", { { "keys", commaList(keys) } });
}

Message sumOfNormalized(const Experiment& experiment, std::int64_t steps)
{
    return Message("explain.sum_of_normalized",
        { { "optimizer", titleOf(experiment, key::optimizerName) },
            { "keys", commaList(keysOfMean(experiment.optimizer, static_cast<double>(steps))) } });
}

Sentences ratesOfSum(const Experiment& experiment, const BatchPlan& plan)
{
    const std::vector<std::int64_t> slices = sliceSizes(plan, plan.effective);
    if (plan.steps == 1)
        return { Message("explain.sum_of_one") };
    if (!isEven(slices))
        return { Message("explain.sum_of_uneven",
            { { "times",
                static_cast<double>(slices.front()) / static_cast<double>(slices.back()) } }) };
    const bool normalized = optimizerInfo(experiment.optimizer.name).normalizesGradient;
    return { Message("explain.sum_of_even", { { "steps", plan.steps } }),
        normalized ? sumOfNormalized(experiment, plan.steps)
                   : sumInProportion(experiment, plan.steps) };
}

Sentences ratesOfMean(const Experiment& experiment, const BatchPlan& plan)
{
    const OptimizerSettings& optimizer = experiment.optimizer;
    Sentences sentences { Message("explain.rate_of_mean", { { "rate", optimizer.lr } }) };
    const auto n = static_cast<double>(plan.steps);
    // Only then is a rate divided by N the same training; momentum does not change that, decay and
    // clipping do.
    const bool plain =
        !optimizerInfo(optimizer.name).normalizesGradient && keysOfMean(optimizer, n).size() == 1;
    if (plan.steps > 1 && plain && isEven(sliceSizes(plan, plan.effective)))
        sentences.push_back(
            Message("explain.rate_without_dividing", { { "rate", optimizer.lr / n } }));
    return sentences;
}

void addRateOfTail(Sentences& sentences, const BatchPlan& plan, std::int64_t samples)
{
    // With a schedule the tail differs from epoch to epoch, so no sentence is true for all of them.
    // If the size is unknown, `samples` is 0, and so is the tail.
    const std::int64_t tail = plan.schedule.empty() ? samples % plan.effective : 0;
    if (tail == 0 || plan.tail != Tail::Flush)
        return;
    const auto slices = static_cast<std::int64_t>(sliceSizes(plan, tail).size());
    if (plan.reduction == Reduction::Mean)
        sentences.push_back(Message("explain.rate_of_tail", { { "tail", tail } }));
    else if (slices < plan.steps)
        sentences.push_back(
            Message("explain.shorter_tail", { { "slices", slices }, { "steps", plan.steps } }));
}

ExplanationPart learningRatePart(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    Sentences sentences = plan.reduction == Reduction::Mean ? ratesOfMean(experiment, plan)
                                                            : ratesOfSum(experiment, plan);
    addRateOfTail(sentences, plan, samples);
    sentences.push_back(Message("explain.once_per_update"));
    return { Topic::LearningRate, Message("explain.learning_rate"), sentences };
}

// ---- the samples over which norm layers compute their statistics ----

Message runningText(const ModelSettings& model, std::int64_t steps)
{
    const auto n = static_cast<double>(steps);
    const double m = model.batchnormMomentum.value;
    // The sentences follow what the layer does: with the window's own statistics the momentum is
    // applied once, so it needs no correction.
    if (model.batchnormWindow)
        return Message("explain.running_by_window");
    if (model.batchnormMomentum.corrected)
        return Message("explain.running_corrected", { { "weight", 1 - std::pow(0.9, 1 / n) } });
    return Message("explain.running_by_micro_batch",
        { { "momentum", m }, { "rest", 1 - m }, { "steps", steps },
            { "weight", 1 - std::pow(1 - m, n) } });
}

void addBatchNorm(Sentences& sentences, const ModelSettings& model, const BatchPlan& plan)
{
    if (plan.steps == 1 && plan.devices == 1)
        sentences.push_back(
            Message("explain.batchnorm_of_window", { { "samples", plan.effective } }));
    else
        sentences.push_back(Message("explain.batchnorm_of_micro_batch",
            { { "micro", plan.micro }, { "samples", plan.effective } }));
    // With one micro-batch the statistics are those of the window, and no sentence about several of
    // them is true.
    if (plan.steps > 1)
        sentences.push_back(runningText(model, plan.steps));
    if (plan.devices > 1)
        sentences.push_back(Message("explain.batchnorm_on_devices"));
    if (model.batchnormPrecise)
        sentences.push_back(Message("explain.batchnorm_precise"));
}

Message eachSampleAlone(Norm norm)
{
    return Message(norm == Norm::Group ? "explain.group_norm"
            : norm == Norm::Layer      ? "explain.layer_norm"
            : norm == Norm::Instance   ? "explain.instance_norm"
                                       : "explain.no_norm");
}

ExplanationPart normalizationPart(const Experiment& experiment, const BatchPlan& plan)
{
    ExplanationPart part { Topic::Normalization, Message("explain.normalization"), {} };
    if (experiment.model.norm == Norm::Batch)
        addBatchNorm(part.sentences, experiment.model, plan);
    else
        part.sentences.push_back(eachSampleAlone(experiment.model.norm));
    return part;
}

} // namespace

std::vector<ExplanationPart> explain(const ResolvedExperiment& resolved)
{
    const auto& [experiment, plan, epoch] = resolved;
    std::vector<ExplanationPart> parts { batchPart(experiment, plan) };
    if (!plan.schedule.empty())
        parts.push_back(stepsPart(experiment, plan));
    parts.push_back(epochPart(resolved));
    parts.push_back(learningRatePart(experiment, plan, epoch.samples));
    parts.push_back(normalizationPart(experiment, plan));
    parts.push_back({ Topic::Defects, Message("explain.defects"),
        publishedDefects(experiment, plan, epoch.samples) });
    return parts;
}

const char* wordOf(ExplanationPart::Topic topic)
{
    static constexpr const char* kWords[] { "batch", "steps", "epoch", "learning_rate",
        "normalization", "defects" }; // in the order of Topic
    return kWords[static_cast<std::size_t>(topic)];
}

} // namespace accrue
