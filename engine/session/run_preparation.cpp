// SPDX-License-Identifier: Apache-2.0
#include "engine/session/run_preparation.h"

#include <utility>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/devices.h"
#include "engine/accelerator/numerics.h"
#include "engine/base/sentences.h"
#include "engine/data/load_data.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/validation.h"
#include "engine/insight/device_advice.h"
#include "engine/memory/memory_meter.h"
#include "engine/session/model_setup.h"
#include "engine/session/threads.h"

namespace accrue {
namespace {

// The form of the pictures with which a model was trained; nullopt: unknown.
std::optional<PictureForm> formOf(const DataIdentity& data)
{
    if (!data.isKnown())
        return {};
    return PictureForm { data.channels, data.height, data.width, data.mean, data.stddev };
}

// Throws all errors at once, so that a user can correct them in one go.
void refuseErrors(const Findings& findings)
{
    Message errors;
    for (const Finding& finding : findings)
        if (finding.severity == Finding::Severity::Error)
            errors = followedBy(errors, finding.message);
    if (!errors.empty())
        throw Error(errors);
}

// Replaces what the recipe leaves open by the choices of the run that saved the checkpoint.
Experiment withChoicesOf(const Checkpoint& saved, Experiment experiment)
{
    if (!experiment.run.threads)
        experiment.run.threads = saved.threads;
    if (experiment.run.memoryFormat == MemoryFormat::Auto)
        refuseErrors(
            applySetting(experiment, key::assignment(key::runMemoryFormat, saved.memoryFormat)));
    return experiment;
}

// The names appear in the memory page and in exports.
void nameSplit(const ResidentSplit& split, const std::string& name)
{
    ownMemory(split.images, MemoryCategory::DataSet, name + " pictures");
    ownMemory(split.labels, MemoryCategory::DataSet, name + " labels");
}

void nameData(const ResidentDataSet& data)
{
    nameSplit(data.train, "train");
    nameSplit(data.test, "test");
    if (data.validation)
        nameSplit(*data.validation, "validation");
}

void nameModel(const Network& network)
{
    for (const auto& parameter : network.named_parameters())
        ownMemory(parameter.value(), MemoryCategory::Parameters, parameter.key());
    for (const auto& buffer : network.named_buffers())
        ownMemory(buffer.value(), MemoryCategory::Buffers, buffer.key());
}

// Refuses a run that is too large for the device before the kernel kills the process for its
// memory. `trained` is empty for an evaluation, which needs little more than the model.
void requireDevice(Experiment experiment, const std::optional<PictureShape>& trained,
    at::Device device, const RankPlace& place)
{
    experiment.batch.devices = BatchNumber::given(place.ranks); // each may hold a part
    const std::vector<DeviceInfo> devices = listDevices();
    for (const DeviceInfo& info : devices)
        if (info.id == deviceId(device))
            refuseErrors(checkDevice(experiment, trained, info, devices, place.localRanks));
}

// Returns warnings about the run's length.
std::vector<Message> planSteps(RunStarted& started)
{
    const Findings findings = checkEpoch(started.experiment, started.plan, started.trainSamples);
    refuseErrors(findings);
    started.epoch = planEpoch(started.plan, started.trainSamples);
    started.totalSteps = totalUpdates(started.experiment, started.plan, started.trainSamples);
    std::vector<Message> warnings;
    for (const Finding& finding : findings)
        warnings.push_back(finding.message);
    return warnings;
}

} // namespace

ResolvedExperiment requireValid(const Experiment& experiment)
{
    refuseErrors(validate(experiment));
    return requireResolved(experiment);
}

RawData loadData(const TrainRequest& request, const DataIdentity& trained)
{
    const Experiment& experiment = request.resolved.experiment;
    return loadRawData(
        experiment.data, request.dataDirectories, experiment.run.seed, formOf(trained));
}

DataIdentity identityOf(const RawData& data)
{
    const DataIdentity identity { .classes = data.classNames,
        .channels = data.train.channels,
        .height = data.train.height,
        .width = data.train.width,
        .mean = data.mean,
        .stddev = data.stddev,
        .trainDigest = data.trainDigest,
        .testDigest = data.testDigest,
        .validationDigest = data.validationDigest };
    // Written and read back, so that names of folders that are not UTF-8 also compare equal.
    return parseDataIdentity(dataIdentityJson(identity)).value();
}

PreparedRun prepareRun(const TrainRequest& request, at::Device device, const Checkpoint* saved,
    RunStarted& started, Purpose purpose, int sharers)
{
    const Experiment& experiment = request.resolved.experiment;
    refuseErrors(validate(experiment));
    static_cast<ResolvedExperiment&>(started) = request.resolved;
    setNumerics(experiment.run); // before the first operator of this run

    PreparedRun run;
    RawData data = loadData(request, saved != nullptr ? saved->data : DataIdentity {});
    started.data = identityOf(data);
    run.data = makeResident(std::move(data), device);
    nameData(run.data);
    started.dataDescription = run.data.description;
    started.trainSamples = run.data.train.samples();
    started.testSamples = run.data.test.samples();
    run.warnings = planSteps(started);
    if (const Message warning = allocatorWarning(); !device.is_cpu() && !warning.empty())
        run.warnings.push_back(warning);
    run.windows = WindowSequence(started.plan, started.trainSamples, experiment.run.epochs);
    run.schedule = scheduleOf(
        experiment,
        [windows = run.windows](std::int64_t epochs) { return windows.updatesWithin(epochs); },
        started.totalSteps);

    // What the recipe leaves automatic decides how sums are rounded, so a resumed run must choose
    // like the attempt before.
    const Experiment definite = saved != nullptr ? withChoicesOf(*saved, experiment) : experiment;
    started.threads = chooseThreads(definite, run.data, started.plan.micro, sharers);
    Experiment begun = experiment;
    begun.run.memoryFormat = memoryFormatOf(definite, device);
    started.memoryFormat = settingText(*settingOf(begun, key::runMemoryFormat));
    if (!request.resumeFrom.empty())
        begun.model.initFrom.clear(); // the checkpoint contains the model
    requireDevice(begun,
        purpose == Purpose::Train ? std::optional(shapeOf(run.data)) : std::nullopt, device,
        request.place.value_or(RankPlace {}));
    run.network = makeNetwork(begun, run.data);
    nameModel(*run.network);
    started.parameters = run.network->parameterCount();
    return run;
}

} // namespace accrue
