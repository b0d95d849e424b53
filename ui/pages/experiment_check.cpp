// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/experiment_check.h"

#include "engine/door/data_download.h"
#include "engine/door/device_advice.h"
#include "engine/door/memory_advice.h"
#include "engine/door/named_device.h"
#include "engine/experiment/advice.h"
#include "engine/experiment/fixes.h"
#include "engine/experiment/held_out.h"
#include "engine/experiment/validation.h"
#include "ui/models/batch_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>
#include <string>

namespace accrue {

namespace {

const std::string kBudget = "memory.budget";

class Text {
    Q_DECLARE_TR_FUNCTIONS(ExperimentCheck)
};

// How many of a part's sentences matter to everyone: what the learning rate means and, where there
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
            sentences << QString::fromStdString(part.sentences[i]);
    return sentences;
}

Finding error(std::string key, std::string message, std::optional<Fix> fix = {})
{
    return { .key = std::move(key), .message = std::move(message), .fix = std::move(fix) };
}

void append(Findings& findings, const Findings& more)
{
    findings.insert(findings.end(), more.begin(), more.end());
}

void addDataFindings(ExperimentCheck& check, const DataSettings& data, const DataSetStatus& status)
{
    const QString problem = dataProblem(data, status);
    if (!problem.isEmpty())
        check.findings.push_back(error("data.name", problem.toStdString()));
}

void addDeviceFindings(
    ExperimentCheck& check, const Experiment& experiment, const CheckSurroundings& surroundings)
{
    const std::vector<DeviceInfo>& devices = surroundings.devices;
    if (devices.empty())
        return;
    const bool isNetwork = surroundings.data && !isWrong(check.findings, "model.widths");
    const auto shape = isNetwork ? shapeGiven(experiment.data, *surroundings.data) : std::nullopt;
    const std::string& wanted = experiment.run.device;
    const std::string id = deviceNamed(wanted, devices);
    std::string found;
    for (const DeviceInfo& device : devices) {
        if (device.id == id) {
            append(check.findings, checkBudget(experiment, id, device.totalBytes));
            append(check.findings, checkDevice(experiment, shape, device));
        }
        found += (found.empty() ? "" : ", ") + device.id;
    }
    if (!id.empty())
        return;
    check.findings.push_back(error("run.device",
        Text::tr("This machine has no device “%1”; found: %2. Choose cpu or auto.")
            .arg(QString::fromStdString(wanted), QString::fromStdString(found))
            .toStdString(),
        setting("run.device", "auto")));
}

// The first error about a key: text that cannot be read stands before what is wrong with the value
// that the text stands for, and that before what is wrong with it here. The others would contradict
// it, or repeat it.
void leaveOneErrorAKey(Findings& findings)
{
    std::set<std::string> keys;
    const auto isOther = [&](const Finding& finding) {
        return finding.severity == Finding::Severity::Error && !finding.key.empty()
            && !keys.insert(finding.key).second;
    };
    findings.erase(std::remove_if(findings.begin(), findings.end(), isOther), findings.end());
}

bool batchIsUnread(const Findings& typed)
{
    return std::any_of(typed.begin(), typed.end(), [](const Finding& finding) {
        return finding.severity == Finding::Severity::Error && finding.key.rfind("batch.", 0) == 0;
    });
}

void solve(
    ExperimentCheck& check, const Experiment& experiment, const std::optional<DataSetStatus>& data)
{
    check.plan = solveBatch(experiment).plan;
    if (!check.plan)
        return;
    check.slices = sliceSizes(*check.plan, check.plan->effective);
    check.batchSentence = batchSumText(*check.plan);
    if (!data || data->trainSamples <= 0)
        return;
    const DataParts parts = partsOf(*data);
    const Findings heldOut = checkHeldOut(experiment, parts);
    append(check.findings, heldOut);
    if (hasErrors(heldOut))
        return;
    const std::int64_t samples = trainedSamples(experiment.data, parts);
    check.epoch = planEpoch(*check.plan, samples);
    check.epochSentence = epochText(*check.epoch);
    if (check.epoch->tailSamples > 0)
        check.tailSlices = sliceSizes(*check.plan, check.epoch->tailSamples);
    for (Finding& finding : checkEpoch(experiment, *check.plan, samples)) {
        finding.fix = suggestFix(experiment, finding, samples);
        check.findings.push_back(std::move(finding));
    }
}

} // namespace

ExperimentCheck checkExperiment(const Experiment& experiment, const Experiment& begun,
    const Findings& typed, const CheckSurroundings& surroundings)
{
    ExperimentCheck check;
    check.findings = typed;
    const bool noBudget = isWrong(typed, kBudget) || isWrong(validate(experiment), kBudget);
    if (!noBudget) // which no law can be held against
        check.law = surroundings.law;
    const Experiment trained = withKnownMicro(experiment, check.law);
    append(check.findings, validateForRun(trained));
    if (!batchIsUnread(typed)) { // otherwise the plan would be of numbers that nobody typed
        append(check.findings, adviseOnRate(trained, begun));
        solve(check, trained, surroundings.data);
    }
    if (check.plan && !noBudget) {
        append(check.findings, adviseOnMemory(experiment, *check.plan, check.law));
        check.memory = forecastOf(trained, *check.plan, check.law);
    }
    if (check.plan && !hasErrors(check.findings)) {
        check.parts = explain(
            trained, *check.plan, check.epoch ? std::optional(check.epoch->samples) : std::nullopt);
        check.sentences = sentencesOf(check.parts, experiment.model.norm != Norm::None);
    }
    if (surroundings.data)
        addDataFindings(check, experiment.data, *surroundings.data);
    addDeviceFindings(check, experiment, surroundings);
    leaveOneErrorAKey(check.findings);
    for (const Finding& finding : check.findings)
        if (finding.severity == Finding::Severity::Error && check.firstError.isEmpty())
            check.firstError = QString::fromStdString(finding.message);
    return check;
}

QString dataProblem(const DataSettings& data, const DataSetStatus& status)
{
    const bool canBeFetched = status.state == DataSetStatus::State::Missing && data.path.empty()
        && downloadBytes(status.name);
    if (canBeFetched && !status.problem.empty())
        return Text::tr("This data set is not on this machine: download it, or give the folder "
                        "that holds it.");
    return QString::fromStdString(status.problem);
}

QString planSentence(const ExperimentCheck& check)
{
    QStringList parts { check.batchSentence, check.epochSentence };
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
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
