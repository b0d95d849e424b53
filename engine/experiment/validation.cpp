// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/validation.h"

#include "engine/experiment/advice.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/fixes.h"
#include "engine/experiment/key_table.h"
#include "engine/experiment/models.h"
#include "engine/experiment/shown_text.h"
#include "engine/experiment/written_value.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace accrue {

namespace {

class Report {
public:
    explicit Report(const Experiment& experiment)
        : m_experiment(experiment)
    {
    }
    void error(std::string key, std::string message, std::optional<Fix> fix = {})
    {
        add({ Finding::Severity::Error, std::move(key), 0, std::move(message), std::move(fix) });
    }
    void warning(std::string key, std::string message, std::optional<Fix> fix = {})
    {
        add({ Finding::Severity::Warning, std::move(key), 0, std::move(message), std::move(fix) });
    }
    // A setting that nothing reads; worth a warning where it differs from its default.
    void noEffect(const std::string& key, std::string message)
    {
        unread.push_back(key);
        static const Experiment standard;
        if (settingOf(m_experiment, key) != settingOf(standard, key))
            warning(key, std::move(message), resetting(key));
    }
    void add(Finding finding)
    {
        const auto isSame = [&](const Finding& said) {
            return said.severity == finding.severity && said.key == finding.key
                && said.message == finding.message;
        };
        if (std::none_of(findings.begin(), findings.end(), isSame))
            findings.push_back(std::move(finding));
    }
    Findings findings;
    std::vector<std::string> unread; // keys of `noEffect`

private:
    const Experiment& m_experiment; // borrowed
};

std::string text(std::int64_t value)
{
    return std::to_string(value);
}

void checkRanges(const Experiment& experiment, Report& report)
{
    for (const Key& key : keyTable())
        if (auto finding = rangeFinding(experiment, key))
            report.add(std::move(*finding));
}

bool isInRange(const Experiment& experiment, std::string_view key)
{
    return !rangeFinding(experiment, *findKey(key));
}

// Of every picture of a set; 0: its files say it.
std::size_t channelsOf(DataName name)
{
    if (name == DataName::Images)
        return 0;
    return name == DataName::Cifar10 || name == DataName::Cifar100 ? 3 : 1;
}

void checkNormalization(const Experiment& experiment, Report& report)
{
    const DataSettings& data = experiment.data;
    const Normalization& normalization = data.normalize;
    const std::string word = tomlText(*settingOf(experiment, "data.name"));
    if (normalization.kind == Normalization::Kind::Published
        && (data.name == DataName::Idx || data.name == DataName::Images))
        report.error("data.normalize",
            "data.normalize is \"published\", but nothing is published for data.name = " + word
                + "; allowed: auto, measured or {mean, std}.");
    const std::size_t channels = channelsOf(data.name);
    if (normalization.kind == Normalization::Kind::Given && channels != 0
        && normalization.mean.size() != channels
        && normalization.mean.size() == normalization.stddev.size())
        report.error("data.normalize",
            "data.normalize has " + std::to_string(normalization.mean.size())
                + " values each, but the pictures of data.name = " + word + " have "
                + std::to_string(channels) + (channels == 1 ? " channel" : " channels")
                + "; give one value a channel.");
}

void checkData(const Experiment& experiment, Report& report)
{
    const DataSettings& data = experiment.data;
    checkNormalization(experiment, report);
    if (data.name == DataName::Idx && data.path.empty())
        report.error("data.path",
            "data.path is missing; data.name = \"idx\" needs the folder with the four IDX files.");
    if (data.name == DataName::Images && data.path.empty())
        report.error("data.path",
            "data.path is missing; data.name = \"images\" needs the folder that holds a folder of "
            "pictures for each class, or train and test with such folders.");
    if (data.name != DataName::Images && data.test != HeldOut {})
        report.error("data.test",
            "data.test is " + tomlOf(data.test) + ", but "
                + tomlText(*settingOf(experiment, "data.name"))
                + " has a test set of its own; only folders of pictures (data.name = \"images\") "
                  "are split; allowed: 0.",
            resetting("data.test"));
    if (data.name != DataName::Images)
        for (const std::string key : { "data.image_size", "data.fit", "data.unreadable" })
            report.noEffect(
                key, key + " has no effect; it is read with data.name = \"images\" only.");
    if (data.name == DataName::Digits)
        report.noEffect("data.path",
            "data.path is " + shortened(tomlQuoted(data.path))
                + ", but the digits data set is built in and reads no file; the path has no "
                  "effect.");
}

// ---- model ----

bool isOnVectors(const ModelSettings& model)
{
    return modelInfo(model.name).seen(model) == ModelInfo::Seen::One;
}

// On vectors a group of one channel is one value, which normalises to zero.
std::int64_t fewestChannelsOfGroup(const ModelSettings& model)
{
    return isOnVectors(model) ? 2 : 1;
}

// "1, 2": what divides the channels of every slot and leaves enough of them a group.
std::string allowedGroups(const std::vector<NormSlot>& slots, std::int64_t fewest)
{
    std::int64_t common = 0;
    std::int64_t smallest = slots.front().channels;
    for (const NormSlot& slot : slots) {
        common = std::gcd(common, slot.channels);
        smallest = std::min(smallest, slot.channels);
    }
    std::string allowed;
    for (std::int64_t groups = 1; groups * fewest <= smallest; ++groups)
        if (common % groups == 0)
            allowed += ", " + text(groups);
    return allowed;
}

void checkGroups(const Experiment& experiment, Report& report)
{
    const ModelSettings& model = experiment.model;
    if (!isInRange(experiment, "model.groups") || !isInRange(experiment, "model.widths"))
        return;
    const std::string found =
        "model.groups is " + settingText(*settingOf(experiment, "model.groups"));
    if (model.norm != Norm::Group)
        report.noEffect("model.groups",
            found + ", but model.norm is not \"group\"; the groups have no effect.");
    if (model.norm != Norm::Group || !model.groups)
        return;
    const std::vector<NormSlot> slots = modelInfo(model.name).normSlots(model);
    const std::int64_t fewest = fewestChannelsOfGroup(model);
    for (const NormSlot& slot : slots) {
        const bool divides = slot.channels % *model.groups == 0;
        if (divides && slot.channels / *model.groups >= fewest)
            continue;
        report.error("model.groups",
            found + ", but " + slot.name + " has " + text(slot.channels) + " channels"
                + (divides ? ": one value a group normalises to zero"
                           : ", which that does not divide")
                + "; allowed: auto" + allowedGroups(slots, fewest) + ".",
            setting("model.groups", "auto"));
        return; // the other slots have the same answer
    }
}

// What a sample's own statistics cannot do with the one value a channel of a vector.
void checkNormOnVectors(const Experiment& experiment, Report& report)
{
    const ModelSettings& model = experiment.model;
    const bool ofSample = model.norm == Norm::Group || model.norm == Norm::Layer;
    if (!isOnVectors(model) || !isInRange(experiment, "model.widths"))
        return;
    if (model.norm == Norm::Instance)
        report.error("model.norm",
            "model.norm is \"instance\", but " + std::string(modelInfo(model.name).word)
                + " normalises vectors, and one value a channel normalises to zero; allowed: none, "
                  "batch, group or layer.");
    const std::vector<std::int64_t>& widths = model.widths;
    if (ofSample && std::find(widths.begin(), widths.end(), 1) != widths.end())
        report.error("model.widths",
            "model.widths has a layer of 1, whose one value normalises to zero; allowed: 2 or "
            "more, or model.norm = \"none\" or \"batch\".");
}

void checkBatchNorm(const ModelSettings& model, Report& report)
{
    if (model.norm != Norm::Batch)
        for (const std::string key :
            { "model.batchnorm_momentum", "model.batchnorm_window", "model.batchnorm_precise" })
            report.noEffect(
                key, key + " has no effect; it is read with model.norm = \"batch\" only.");
    if (model.norm == Norm::Batch && model.batchnormWindow && model.batchnormMomentum.corrected)
        report.noEffect("model.batchnorm_momentum",
            "model.batchnorm_momentum = \"corrected\" has no effect; with model.batchnorm_window a "
            "window is taken up once, with 0.1.");
}

void checkModel(const Experiment& experiment, Report& report)
{
    const ModelSettings& model = experiment.model;
    checkGroups(experiment, report);
    checkNormOnVectors(experiment, report);
    if (model.name != ModelName::ResNet18)
        report.noEffect("model.stem",
            "model.stem has no effect; it is read with model.name = \"resnet18\" only.");
    if (model.name != ModelName::Mlp)
        report.noEffect("model.widths",
            "model.widths has no effect; it is read with model.name = \"mlp\" only.");
    if (!model.initFrom.empty())
        report.noEffect(
            "model.init", "model.init has no effect; the weights are those of model.init_from.");
    checkBatchNorm(model, report);
    if (model.init != Initialisation::Normal)
        report.noEffect("model.init_sigma",
            "model.init_sigma has no effect; it is read with model.init = \"normal\" only.");
}

// ---- batch ----

void checkBatch(const Experiment& experiment, Report& report)
{
    const BatchSolution solution = solveBatch(experiment);
    for (Finding finding : solution.findings) {
        finding.fix = suggestFix(experiment, finding);
        report.add(std::move(finding));
    }
}

// ---- optimizer ----

void checkSgd(const OptimizerSettings& optimizer, Report& report)
{
    if (optimizer.nesterov && !(optimizer.momentum > 0))
        report.error("optimizer.nesterov",
            "optimizer.nesterov is true, but optimizer.momentum is " + tomlText(optimizer.momentum)
                + "; Nesterov's momentum needs one above 0.",
            setting("optimizer.nesterov", "false"));
    if (optimizer.nesterov && optimizer.dampening != 0)
        report.error("optimizer.nesterov",
            "optimizer.nesterov is true, but optimizer.dampening is "
                + tomlText(optimizer.dampening) + "; Nesterov's momentum needs dampening 0.",
            setting("optimizer.dampening", "0"));
}

// What the chosen optimizer never reads.
void checkUnread(const OptimizerSettings& optimizer, Report& report)
{
    const bool sgd = optimizer.name == OptimizerName::Sgd;
    const auto check = [&](bool read, const std::string& key, const char* readers) {
        if (!read)
            report.noEffect(key, key + " has no effect; it is read by " + readers + " only.");
    };
    check(sgd, "optimizer.momentum", "sgd");
    check(sgd, "optimizer.nesterov", "sgd");
    check(sgd, "optimizer.dampening", "sgd");
    check(!sgd, "optimizer.beta1", "adam and adamw");
    check(!sgd, "optimizer.beta2", "adam and adamw");
    check(!sgd, "optimizer.eps", "adam and adamw");
    check(optimizer.weightDecay != 0, "optimizer.decay_norm_and_bias",
        "optimizer.weight_decay above 0");
}

void checkOptimizer(const Experiment& experiment, Report& report)
{
    const OptimizerSettings& optimizer = experiment.optimizer;
    if (experiment.batch.schedule.empty())
        report.noEffect("optimizer.lr_rule",
            "optimizer.lr_rule has no effect; it is read with batch.schedule only.");
    if (optimizer.name == OptimizerName::Sgd)
        checkSgd(optimizer, report);
    checkUnread(optimizer, report);
}

// ---- schedule ----

void checkUnread(const ScheduleSettings& schedule, Report& report)
{
    const auto check = [&](std::initializer_list<ScheduleName> readers, const std::string& key,
                           const char* words) {
        if (std::find(readers.begin(), readers.end(), schedule.name) == readers.end())
            report.noEffect(
                key, key + " has no effect; it is read with schedule.name = " + words + " only.");
    };
    using enum ScheduleName;
    check({ Cosine, Linear, OneCycle }, "schedule.final_factor",
        "\"cosine\", \"linear\" and \"onecycle\"");
    check({ Step }, "schedule.every", "\"step\"");
    check({ MultiStep }, "schedule.milestones", "\"multistep\"");
    check({ Step, MultiStep }, "schedule.gamma", "\"step\" and \"multistep\"");
    check({ OneCycle }, "schedule.peak_share", "\"onecycle\"");
}

// "the run has 10 epochs", where a fall at `span` comes too late to change an update.
std::string runBefore(const Span& span, const RunSettings& run)
{
    const bool inEpochs = span.unit == Span::Unit::Epochs;
    if (inEpochs && span.count >= static_cast<double>(run.epochs))
        return "the run has " + text(run.epochs) + (run.epochs == 1 ? " epoch" : " epochs");
    if (!inEpochs && run.limitSteps > 0 && span.count >= static_cast<double>(run.limitSteps))
        return "run.limit_steps ends the run after " + text(run.limitSteps);
    return {};
}

// Those of one unit; how epochs and steps compare is known with the data only.
bool ascend(const std::vector<Span>& milestones, Span::Unit unit)
{
    double last = 0;
    for (const Span& milestone : milestones) {
        if (milestone.unit != unit)
            continue;
        if (milestone.count <= last)
            return false;
        last = milestone.count;
    }
    return true;
}

void checkMilestones(const ScheduleSettings& schedule, const RunSettings& run, Report& report)
{
    const std::string key = "schedule.milestones";
    const std::string found = key + " is " + tomlOf(schedule.milestones);
    if (schedule.milestones.empty())
        return report.error(key,
            found
                + ", but schedule.name is \"multistep\"; allowed: one or more, such as "
                  "[\"30 epochs\", \"60 epochs\"].");
    if (!ascend(schedule.milestones, Span::Unit::Epochs)
        || !ascend(schedule.milestones, Span::Unit::Steps))
        return report.error(key, found + "; allowed: each later than the one before it.");
    for (const Span& milestone : schedule.milestones)
        if (const std::string before = runBefore(milestone, run); !before.empty())
            return report.warning(key,
                key + " has " + tomlOf(milestone) + ", but " + before
                    + "; the learning rate does not fall there.");
}

void checkFalls(const Experiment& experiment, Report& report)
{
    const ScheduleSettings& schedule = experiment.schedule;
    if (schedule.name == ScheduleName::MultiStep && isInRange(experiment, "schedule.milestones"))
        checkMilestones(schedule, experiment.run, report);
    if (schedule.name != ScheduleName::Step || !isInRange(experiment, "schedule.every"))
        return;
    if (const std::string before = runBefore(schedule.every, experiment.run); !before.empty())
        report.warning("schedule.every",
            "schedule.every is " + tomlOf(schedule.every) + ", but " + before
                + "; the learning rate never falls.");
}

void checkWarmUp(const ScheduleSettings& schedule, const RunSettings& run, Report& report)
{
    if (schedule.warmupEpochs > 0 && schedule.warmupEpochs >= run.epochs)
        report.error("schedule.warmup_epochs",
            "schedule.warmup_epochs is " + text(schedule.warmupEpochs) + ", but the run has "
                + text(run.epochs) + " epochs; the warm-up must be shorter than the run.",
            setting("schedule.warmup_epochs", text(std::max<std::int64_t>(run.epochs - 1, 0))));
    if (run.limitSteps > 0 && schedule.warmupSteps >= run.limitSteps)
        report.error("schedule.warmup_steps",
            "schedule.warmup_steps is " + text(schedule.warmupSteps)
                + ", but run.limit_steps ends the run after " + text(run.limitSteps)
                + "; the warm-up must be shorter than the run.",
            setting("schedule.warmup_steps", text(run.limitSteps - 1)));
}

void checkSchedule(const Experiment& experiment, Report& report)
{
    checkUnread(experiment.schedule, report);
    checkFalls(experiment, report);
    checkWarmUp(experiment.schedule, experiment.run, report);
}

// ---- run ----

void checkRun(const Experiment& experiment, Report& report)
{
    const RunSettings& run = experiment.run;
    if (run.precision == Precision::Float16 && run.device == "cpu")
        report.warning("run.precision",
            "run.precision is \"float16\", which no processor computes fast, and run.device is "
            "\"cpu\"; float32 is faster there, and bfloat16 on processors that have it.",
            setting("run.precision", "float32"));
    if (run.precision != Precision::Float32)
        report.noEffect("run.tf32",
            "run.tf32 has no effect; it is read with run.precision = \"float32\" only.");
    else if (run.device == "cpu")
        report.noEffect("run.tf32", "run.tf32 has no effect; it is read on CUDA only.");
    if (isOnVectors(experiment.model))
        report.noEffect("run.memory_format",
            "run.memory_format has no effect; " + std::string(modelInfo(experiment.model.name).word)
                + " has no convolutions.");
}

Report reportOn(const Experiment& experiment)
{
    Report report(experiment);
    checkRanges(experiment, report);
    checkData(experiment, report);
    checkModel(experiment, report);
    checkBatch(experiment, report);
    checkOptimizer(experiment, report);
    checkSchedule(experiment, report);
    checkRun(experiment, report);
    return report;
}

} // namespace

Findings validate(const Experiment& experiment)
{
    Report report = reportOn(experiment);
    if (!hasErrors(report.findings))
        for (Finding& finding : advise(experiment, *solveBatch(experiment).plan))
            report.add(std::move(finding));
    return report.findings;
}

Experiment withoutUnreadSettings(Experiment experiment)
{
    for (const std::string& key : reportOn(experiment).unread)
        applyFix(experiment, resetting(key));
    return experiment;
}

std::vector<std::string> unreadKeys(const Experiment& experiment)
{
    return reportOn(experiment).unread;
}

Findings validateForRun(const Experiment& experiment)
{
    Findings findings = validate(experiment);
    if (experiment.name.empty())
        findings.push_back({ Finding::Severity::Error, "name", 0,
            "name is empty; allowed: one line of text that says something." });
    return findings;
}

} // namespace accrue
