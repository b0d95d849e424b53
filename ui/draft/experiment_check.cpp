// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/experiment_check.h"

#include "engine/download/download.h"
#include "engine/experiment/advice.h"
#include "engine/experiment/fixes.h"
#include "engine/experiment/held_out.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/validation.h"
#include "engine/insight/device_advice.h"
#include "engine/insight/device_info.h"
#include "engine/insight/memory_advice.h"
#include "ui/models/batch_words.h"
#include "ui/models/format.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace accrue {

// Every check of the engine in one pass, with the functions that the command line and the start of
// a run use, so that the form promises nothing that the engine refuses. The order matters, because
// only the first of several errors about one key remains: unreadable text, the settings themselves,
// then the memory model, the data and the device.

namespace {

const std::string kBudget = key::memoryBudget;

// How many of a part's sentences matter to everyone: the meaning of the learning rate and, if there
// are norm layers, what they see and how their running statistics follow.
std::size_t countForEveryone(const ExplanationPart& part, bool hasNorm)
{
    using Topic = ExplanationPart::Topic;
    if (part.topic == Topic::LearningRate)
        return 1;
    const bool norm = part.topic == Topic::Normalization && hasNorm;
    return norm ? std::min<std::size_t>(part.sentences.size(), 2) : 0;
}

QStringList sentencesOf(const std::vector<ExplanationPart>& parts, bool hasNorm)
{
    QStringList sentences;
    for (const ExplanationPart& part : parts)
        for (std::size_t i = 0; i < countForEveryone(part, hasNorm); ++i)
            sentences << QString::fromStdString(part.sentences[i].text());
    return sentences;
}

void addDataFindings(ExperimentCheck& check, const DataSettings& data, const DataSetStatus& status)
{
    if (status.problem.empty())
        return;
    // The engine's sentence lists the folders that were searched. The window has a button instead
    // if the data set is a published one.
    const bool isPublished = status.state == DataSetStatus::State::Missing && data.path.empty()
        && downloadBytes(status.name);
    const QString problem = isPublished
        ? Ui::tr("This data set is not on this machine. Download it or choose its folder.")
        : messageText(status.problem);
    check.findings.push_back(errorAbout(key::dataName, Message::plain(problem.toStdString())));
}

void addDeviceFindings(
    ExperimentCheck& check, const Experiment& experiment, const CheckSurroundings& surroundings)
{
    const std::vector<DeviceInfo>& devices = surroundings.devices;
    // Until the engine is loaded nothing is known, and a wrong error would flash at the start.
    if (devices.empty())
        return;
    // Invalid widths make no network that could be compared with a device.
    const bool isNetwork = surroundings.data && !isWrong(check.findings, key::modelWidths);
    const auto shape = isNetwork ? shapeGiven(experiment.data, *surroundings.data) : std::nullopt;
    const std::string& wanted = experiment.run.device;
    // By the engine's own rule, so that findings about a device are about the one that the run will
    // use.
    append(check.findings, checkAllDevices(experiment, devices));
    if (const DeviceInfo* device = deviceNamed(wanted, devices)) {
        append(check.findings, checkBudget(experiment, device->id, device->totalBytes));
        append(check.findings, checkDevice(experiment, shape, *device, devices));
        return;
    }
    QStringList found;
    for (const DeviceInfo& device : devices)
        found << QString::fromStdString(device.id);
    check.findings.push_back(errorAbout(key::runDevice,
        Message::plain(Ui::tr("This machine has no device “%1”; found: %2. Choose cpu or auto.")
                           .arg(QString::fromStdString(wanted), found.join(Ui::tr(", ")))
                           .toStdString()),
        setting(key::runDevice, "auto")));
}

// The first error about a key: unreadable text precedes an invalid value, and that precedes what is
// wrong with it on this machine. The others would contradict it, or repeat it.
void leaveOneErrorAKey(Findings& findings)
{
    std::set<std::string> keys;
    const auto isOther = [&](const Finding& finding) {
        return finding.severity == Finding::Severity::Error && !finding.key.empty()
            && !keys.insert(finding.key).second;
    };
    std::erase_if(findings, isOther);
}

bool batchIsUnread(const Findings& typed)
{
    return std::ranges::any_of(typed, [](const Finding& finding) {
        return finding.severity == Finding::Severity::Error && finding.key.starts_with("batch.");
    });
}

void addPlan(ExperimentCheck& check, const std::optional<DataSetStatus>& data)
{
    if (!check.resolved)
        return;
    const Experiment& experiment = check.resolved->experiment;
    const BatchPlan& plan = check.resolved->plan;
    check.slices = sliceSizes(plan, plan.effective);
    check.batchSentence = batchSumText(plan);
    if (!data || data->trainSamples <= 0)
        return;
    const DataParts parts = partsOf(*data);
    const Findings heldOut = checkHeldOut(experiment, parts);
    append(check.findings, heldOut);
    // Without a valid split the number of training samples is unknown.
    if (hasErrors(heldOut))
        return;
    const std::int64_t samples = trainedSamples(experiment.data, parts);
    const EpochPlan& epoch = check.resolved->epoch = planEpoch(plan, samples);
    check.epochSentence = epochText(epoch);
    if (epoch.tailSamples > 0)
        check.tailSlices = sliceSizes(plan, epoch.tailSamples);
    for (Finding& finding : checkEpoch(experiment, plan, samples)) {
        finding.fix = suggestFix(experiment, finding, samples);
        check.findings.push_back(std::move(finding));
    }
}

// A run begins with the numbers of the form, also where those that fit the budget replace them.
void addAsked(ExperimentCheck& check, const Experiment& experiment, const Experiment& trained)
{
    Resolution asked = resolve(experiment);
    if (!awaitsDevices(experiment)) // the plan would be that of one device
        check.asked = std::move(asked.resolved);
    if (hasErrors(asked.findings) && !(trained.batch == experiment.batch))
        append(check.findings, asked.findings);
}

Findings rateAdvice(const std::optional<ResolvedExperiment>& now, const Experiment& begun)
{
    const auto before = awaitsDevices(begun) ? std::nullopt : resolve(begun).resolved;
    return now && before ? adviseOnRate(*now, *before) : Findings {};
}

} // namespace

ExperimentCheck checkExperiment(const Experiment& experiment, const Experiment& begun,
    const Findings& typed, const CheckSurroundings& surroundings)
{
    ExperimentCheck check;
    check.findings = typed;
    const bool noBudget = isWrong(typed, kBudget) || isWrong(validate(experiment), kBudget);
    if (!noBudget) // which no memory model can be compared with
        check.law = surroundings.law;
    // A b that follows the budget is the one that fits, as the run would find it; the findings
    // are about that one.
    const Experiment trained = withKnownMicro(experiment, check.law);
    append(check.findings, validateForRun(trained));
    addAsked(check, experiment, trained);
    if (!batchIsUnread(typed)) { // otherwise the plan would be of numbers that nobody typed
        check.resolved = trained.batch == experiment.batch || awaitsDevices(trained)
            ? check.asked
            : resolve(trained).resolved;
        append(check.findings,
            rateAdvice(
                check.resolved, withDevicesFound(begun, cudaDevicesAmong(surroundings.devices))));
        addPlan(check, surroundings.data);
    }
    if (check.resolved && !noBudget) {
        append(check.findings, adviseOnMemory(experiment, check.resolved->plan, check.law));
        check.memory = forecastOf(trained, check.resolved->plan, check.law);
    }
    if (check.resolved && !hasErrors(check.findings)) {
        check.parts = explain(*check.resolved);
        check.sentences = sentencesOf(check.parts, experiment.model.norm != Norm::None);
    }
    if (surroundings.data)
        addDataFindings(check, experiment.data, *surroundings.data);
    addDeviceFindings(check, experiment, surroundings);
    leaveOneErrorAKey(check.findings);
    for (const Finding& finding : check.findings)
        if (finding.severity == Finding::Severity::Error && check.firstError.isEmpty())
            check.firstError = messageText(finding.message);
    return check;
}

QString planSentence(const ExperimentCheck& check)
{
    QStringList parts { check.batchSentence, check.epochSentence };
    parts.removeAll(QString());
    return parts.join(Ui::tr("; "));
}

const Finding* findingFor(const Findings& findings, const std::string& key)
{
    const Finding* gravest = nullptr;
    for (const Finding& finding : findings)
        if (finding.key == key && (gravest == nullptr || finding.severity < gravest->severity))
            gravest = &finding;
    return gravest;
}

bool isWrong(const Findings& findings, const std::string& key)
{
    const Finding* gravest = findingFor(findings, key);
    return gravest != nullptr && gravest->severity == Finding::Severity::Error;
}

} // namespace accrue
