// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/validation.h"

#include "engine/experiment/advice.h"
#include "engine/experiment/fixes.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/models.h"
#include "engine/experiment/registries.h"
#include "engine/experiment/resolved.h"
#include "engine/experiment/setting_value.h"
#include "engine/experiment/stop_rule.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

class Report {
public:
    // Each sentence once, whichever check found it.
    void add(Finding finding)
    {
        if (!contains(findings, finding))
            findings.push_back(std::move(finding));
    }
    Findings findings;
    std::optional<ResolvedExperiment> resolved; // empty if the batch numbers have an error
};

// Each value separately; the checks below compare keys with each other.
void checkRanges(const Experiment& experiment, Report& report)
{
    for (const KeyInfo& key : experimentKeys())
        if (auto finding = rangeFinding(experiment, key))
            report.add(std::move(*finding));
}

bool isInRange(const Experiment& experiment, std::string_view key)
{
    return !rangeFinding(experiment, *findKey(key));
}

// A key without effect deserves a warning if somebody has set it.
void checkUnread(const Experiment& experiment, Report& report)
{
    static const Experiment standard;
    for (const KeyInfo& key : experimentKeys()) {
        const KeyCondition* unmet = unmetCondition(key, experiment);
        if (unmet != nullptr && key.value.get(experiment) != key.value.get(standard))
            report.add(warningAbout(key.key,
                Message("setting.no_effect", { { "key", key.key }, { "why", unmet->whyNot } }),
                resetting(key.key)));
    }
}

void checkNormalization(const Experiment& experiment, Report& report)
{
    const DataSetInfo& set = dataSetInfo(experiment.data.name);
    const Normalization& normalization = experiment.data.normalize;
    const std::string word = tomlQuoted(set.word);
    if (normalization.kind == Normalization::Kind::Published && !set.isPublished)
        report.add(errorAbout(
            key::dataNormalize, Message("validation.nothing_published", { { "data", word } })));
    if (normalization.kind == Normalization::Kind::Given && set.channels != 0
        && normalization.mean.size() != set.channels
        && normalization.mean.size() == normalization.stddev.size())
        report.add(errorAbout(key::dataNormalize,
            Message("validation.channels_of_normalize",
                { { "values", normalization.mean.size() }, { "data", word },
                    { "channels", set.channels } })));
}

void checkData(const Experiment& experiment, Report& report)
{
    const DataSettings& data = experiment.data;
    const DataSetInfo& set = dataSetInfo(data.name);
    const std::string word = tomlQuoted(set.word);
    checkNormalization(experiment, report);
    if (set.folder != nullptr && data.path.empty())
        report.add(errorAbout(key::dataPath,
            Message("validation.no_folder",
                { { "data", word },
                    { "folder",
                        Message(std::string("key.data.path.") + set.word, set.folder) } })));
    if (!set.isSplit && data.test != HeldOut {})
        report.add(errorAbout(key::dataTest,
            Message(
                "validation.has_a_test_set", { { "value", tomlOf(data.test) }, { "data", word } }),
            resetting(key::dataTest)));
}

// ---- model ----

bool isOnVectors(const ModelSettings& model)
{
    return modelInfo(model.name).seen(model) == ModelInfo::Seen::One;
}

// "auto, 1 or 2"
Message allowedGroups(const std::vector<NormSlot>& slots, std::int64_t fewest)
{
    std::vector<std::string> allowed { "auto" };
    for (const std::int64_t groups : groupsThatFit(slots, fewest))
        allowed.push_back(std::to_string(groups));
    return oneOf(allowed);
}

Message groupsProblem(std::int64_t groups, const NormSlot& slot, const Message& allowed)
{
    if (slot.channels % groups == 0)
        return Message("validation.groups_of_one",
            { { "groups", groups }, { "layer", slot.name }, { "channels", slot.channels },
                { "allowed", allowed } });
    return Message("validation.groups_do_not_divide",
        { { "groups", groups }, { "channels", slot.channels }, { "layer", slot.name },
            { "allowed", allowed } });
}

void checkGroups(const Experiment& experiment, Report& report)
{
    const ModelSettings& model = experiment.model;
    if (!isInRange(experiment, key::modelGroups) || !isInRange(experiment, key::modelWidths)
        || model.norm != Norm::Group || !model.groups)
        return;
    const std::vector<NormSlot> slots = modelInfo(model.name).normSlots(model);
    // On vectors a group of one channel is one value, which normalisation turns into zero.
    const std::int64_t fewest = isOnVectors(model) ? 2 : 1;
    const auto isWrong = [&](const NormSlot& slot) {
        return slot.channels % *model.groups != 0 || slot.channels / *model.groups < fewest;
    };
    const auto wrong = std::find_if(slots.begin(), slots.end(), isWrong);
    if (wrong != slots.end()) // the message is the same for the other slots
        report.add(errorAbout(key::modelGroups,
            groupsProblem(*model.groups, *wrong, allowedGroups(slots, fewest)),
            setting(key::modelGroups, "auto")));
}

// A norm of one sample is of no use for the one value per channel of a vector.
void checkNormOnVectors(const Experiment& experiment, Report& report)
{
    const ModelSettings& model = experiment.model;
    const bool ofSample = model.norm == Norm::Group || model.norm == Norm::Layer;
    if (!isOnVectors(model) || !isInRange(experiment, key::modelWidths))
        return;
    if (model.norm == Norm::Instance)
        report.add(errorAbout(key::modelNorm,
            Message("validation.instance_norm_on_vectors",
                { { "model", std::string(modelInfo(model.name).word) } })));
    // A layer of one value per sample would always be normalised to 0.
    const std::vector<std::int64_t>& widths = model.widths;
    if (ofSample && std::find(widths.begin(), widths.end(), 1) != widths.end())
        report.add(errorAbout(key::modelWidths, Message("validation.layer_of_one")));
}

// ---- batch ----

// The plan is stored for the advice, so that the batch numbers are solved once.
void checkBatch(const Experiment& experiment, Report& report)
{
    Resolution resolution = resolve(experiment);
    report.resolved = std::move(resolution.resolved);
    for (Finding& finding : resolution.findings) {
        finding.fix = suggestFix(experiment, finding);
        report.add(std::move(finding));
    }
}

// ---- optimizer ----

void checkOptimizer(const Experiment& experiment, Report& report)
{
    const OptimizerSettings& optimizer = experiment.optimizer;
    if (optimizer.name != OptimizerName::Sgd)
        return;
    // Written like this so that NaN, which is reported as out of range, is not mistaken for a
    // momentum.
    if (optimizer.nesterov && !(optimizer.momentum > 0))
        report.add(errorAbout(key::optimizerNesterov,
            Message("validation.nesterov_without_momentum",
                { { "momentum", tomlText(optimizer.momentum) } }),
            setting(key::optimizerNesterov, "false")));
    if (optimizer.nesterov && optimizer.dampening != 0)
        report.add(errorAbout(key::optimizerNesterov,
            Message("validation.nesterov_with_dampening",
                { { "dampening", tomlText(optimizer.dampening) } }),
            setting(key::optimizerDampening, "0")));
}

// ---- schedule ----

// The end of the run, as a clause, if a decay at `span` comes too late to change an update.
std::optional<Message> endBefore(const Span& span, const RunSettings& run)
{
    const bool inEpochs = span.unit == Span::Unit::Epochs;
    if (inEpochs && span.count >= static_cast<double>(run.epochs))
        return Message("validation.run_has_epochs", { { "epochs", run.epochs } });
    if (!inEpochs && run.limitSteps > 0 && span.count >= static_cast<double>(run.limitSteps))
        return Message("validation.limit_ends_run", { { "steps", run.limitSteps } });
    return {};
}

// Milestones of one unit; how epochs and steps compare is only known with the data.
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
    const std::string key = key::scheduleMilestones;
    const std::string value = tomlOf(schedule.milestones);
    if (schedule.milestones.empty())
        return report.add(
            errorAbout(key, Message("validation.no_milestones", { { "value", value } })));
    if (!ascend(schedule.milestones, Span::Unit::Epochs)
        || !ascend(schedule.milestones, Span::Unit::Steps))
        return report.add(errorAbout(
            key, Message("validation.milestones_do_not_ascend", { { "value", value } })));
    for (const Span& milestone : schedule.milestones)
        if (const auto end = endBefore(milestone, run))
            return report.add(warningAbout(key,
                Message("validation.milestone_after_the_end",
                    { { "milestone", tomlOf(milestone) }, { "end", *end } })));
}

void checkDecay(const Experiment& experiment, Report& report)
{
    const ScheduleSettings& schedule = experiment.schedule;
    if (schedule.name == ScheduleName::MultiStep && isInRange(experiment, key::scheduleMilestones))
        checkMilestones(schedule, experiment.run, report);
    if (schedule.name != ScheduleName::Step || !isInRange(experiment, key::scheduleEvery))
        return;
    if (const auto end = endBefore(schedule.every, experiment.run))
        report.add(warningAbout(key::scheduleEvery,
            Message(
                "validation.no_decay", { { "every", tomlOf(schedule.every) }, { "end", *end } })));
}

// As far as it can be known without the size of an epoch; checkEpoch does the rest.
void checkWarmUp(const Experiment& experiment, Report& report)
{
    const ScheduleSettings& schedule = experiment.schedule;
    const RunSettings& run = experiment.run;
    if (schedule.warmupEpochs > 0 && schedule.warmupEpochs >= run.epochs)
        report.add(errorAbout(key::scheduleWarmupEpochs,
            Message("validation.warm_up_epochs",
                { { "warm_up", schedule.warmupEpochs }, { "epochs", run.epochs } }),
            setting(key::scheduleWarmupEpochs,
                std::to_string(std::max<std::int64_t>(run.epochs - 1, 0)))));
    if (run.limitSteps > 0 && schedule.warmupSteps >= run.limitSteps)
        report.add(errorAbout(key::scheduleWarmupSteps,
            Message("validation.warm_up_steps",
                { { "warm_up", schedule.warmupSteps }, { "steps", run.limitSteps } }),
            setting(key::scheduleWarmupSteps, std::to_string(run.limitSteps - 1))));
}

// ---- run ----

void checkRun(const Experiment& experiment, Report& report)
{
    const RunSettings& run = experiment.run;
    if (run.precision == Precision::Float16 && run.device == "cpu")
        report.add(warningAbout(key::runPrecision, Message("validation.float16_on_cpu"),
            setting(key::runPrecision, "float32")));
    for (Finding& finding : checkEarlyEnd(experiment))
        report.add(std::move(finding));
}

// Where the CUDA devices are unknown, checkAllDevices (device_advice.h) does the rest.
void checkAllDevices(const Experiment& experiment, Report& report)
{
    const std::string& device = experiment.run.device;
    if (!experiment.batch.devices.isAll() || device == "auto" || device == "cuda")
        return;
    if (device == "cpu")
        report.add(errorAbout(
            key::batchDevices, Message("validation.all_on_cpu"), setting(key::batchDevices, "1")));
    else if (isInRange(experiment, key::runDevice))
        report.add(errorAbout(key::batchDevices,
            Message("validation.all_on_one", { { "device", device } }),
            setting(key::runDevice, "cuda")));
}

} // namespace

// Advice assumes settings in range and a plan, so it waits until there is no error.
Findings validate(const Experiment& experiment)
{
    Report report;
    for (const auto check : { checkRanges, checkData, checkGroups, checkNormOnVectors, checkBatch,
             checkOptimizer, checkDecay, checkWarmUp, checkRun, checkAllDevices, checkUnread })
        check(experiment, report);
    if (!hasErrors(report.findings))
        for (Finding& finding : advise(experiment, report.resolved->plan))
            report.add(std::move(finding));
    return report.findings;
}

std::vector<std::string> unreadKeys(const Experiment& experiment)
{
    std::vector<std::string> unread;
    for (const KeyInfo& key : experimentKeys())
        if (unmetCondition(key, experiment) != nullptr)
            unread.push_back(key.key);
    return unread;
}

Experiment withoutUnreadSettings(Experiment experiment)
{
    for (const std::string& key : unreadKeys(experiment))
        applyFix(experiment, resetting(key));
    return experiment;
}

Findings validateForRun(const Experiment& experiment)
{
    Findings findings = validate(experiment);
    if (experiment.name.empty())
        findings.push_back(errorAbout("name", Message("validation.no_name")));
    return findings;
}

} // namespace accrue
