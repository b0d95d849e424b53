// SPDX-License-Identifier: Apache-2.0
#include "engine/training/run_preparation.h"

#include <utility>

#include "engine/accelerator/accelerators.h"
#include "engine/data/raw_data.h"
#include "engine/door/device_advice.h"
#include "engine/door/engine_error.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/validation.h"
#include "engine/memory/memory_meter.h"
#include "engine/training/data_form.h"
#include "engine/training/devices.h"
#include "engine/training/model_setup.h"
#include "engine/training/numerics.h"
#include "engine/training/threads.h"

namespace accrue {
namespace {

void refuseErrors(const Findings& findings)
{
    std::string message;
    for (const Finding& finding : findings)
        if (finding.severity == Finding::Severity::Error)
            message += (message.empty() ? "" : " ") + finding.message;
    if (!message.empty())
        throw EngineError(message);
}

BatchPlan solvedPlan(const Experiment& experiment)
{
    refuseErrors(validate(experiment));
    const BatchSolution solution = solveBatch(experiment);
    refuseErrors(solution.findings);
    if (!solution.plan)
        throw EngineError("The batch numbers of this recipe do not fit together.");
    return *solution.plan;
}

// Where the recipe leaves a choice, the one that was made.
Experiment withChoicesOf(const ComputedWith& computed, Experiment experiment)
{
    if (!experiment.run.threads)
        experiment.run.threads = computed.threads;
    if (experiment.run.memoryFormat == MemoryFormat::Auto)
        refuseErrors(applySetting(experiment, "run.memory_format=" + computed.memoryFormat));
    return experiment;
}

std::int64_t countParameters(const Network& network)
{
    std::int64_t count = 0;
    for (const at::Tensor& parameter : network.parameters())
        count += parameter.numel();
    return count;
}

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

// Before the kernel ends the process for the memory that it takes. An evaluation needs no more than
// the model, which is not asked for then.
void requireDevice(
    const Experiment& experiment, const std::optional<PictureShape>& trained, at::Device device)
{
    for (const DeviceInfo& info : listDevices())
        if (info.id == deviceId(device))
            refuseErrors(checkDevice(experiment, trained, info));
}

// Returns what is worth knowing about the run's length.
Findings planSteps(RunStarted& started)
{
    Findings findings = checkEpoch(started.experiment, started.plan, started.trainSamples);
    refuseErrors(findings);
    started.epoch = planEpoch(started.plan, started.trainSamples);
    started.totalSteps = totalUpdates(started.experiment, started.plan, started.trainSamples);
    return findings;
}

} // namespace

PreparedRun prepareRun(const TrainRequest& request, at::Device device,
    const std::optional<ComputedWith>& computed, RunStarted& started, Purpose purpose)
{
    const Experiment& experiment = request.experiment;
    started.plan = solvedPlan(experiment);
    setNumerics(experiment.run);

    PreparedRun run;
    RawData data = loadRawData(experiment.data, request.dataDirectories, experiment.run.seed,
        formOf(computed ? computed->data : DataIdentity {}));
    started.data = identityOf(data);
    run.data = makeResident(std::move(data), device);
    nameData(run.data);
    started.dataDescription = run.data.description;
    started.trainSamples = run.data.train.samples();
    started.testSamples = run.data.test.samples();
    run.warnings = planSteps(started);
    if (const std::string warning = allocatorWarning(); !device.is_cpu() && !warning.empty())
        run.warnings.push_back({ Finding::Severity::Warning, "memory", 0, warning });
    run.windows = WindowSequence(started.plan, started.trainSamples, experiment.run.epochs);
    run.schedule = scheduleOf(
        experiment,
        [windows = run.windows](std::int64_t epochs) { return windows.updatesWithin(epochs); },
        started.totalSteps);

    const Experiment definite = computed ? withChoicesOf(*computed, experiment) : experiment;
    started.threads = chooseThreads(definite, run.data, started.plan.micro);
    Experiment begun = experiment;
    begun.run.memoryFormat = memoryFormatOf(definite, device);
    started.memoryFormat = settingText(*settingOf(begun, "run.memory_format"));
    if (!request.resumeFrom.empty())
        begun.model.initFrom.clear(); // the checkpoint holds the model
    requireDevice(
        begun, purpose == Purpose::Train ? std::optional(shapeOf(run.data)) : std::nullopt, device);
    run.network = makeNetwork(begun, run.data);
    nameModel(*run.network);
    started.parameters = countParameters(*run.network);
    return run;
}

} // namespace accrue
