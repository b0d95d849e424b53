// SPDX-License-Identifier: Apache-2.0
#include "engine/training/run_preparation.h"

#include <ATen/Context.h>

#include "engine/data/raw_data.h"
#include "engine/door/engine_error.h"
#include "engine/experiment/validation.h"
#include "engine/training/devices.h"
#include "engine/training/model_setup.h"
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

// The process is the run's: same seed, same bits on one device, and float32 means float32.
void setNumerics()
{
    at::globalContext().setDeterministicCuDNN(true);
    at::globalContext().setBenchmarkCuDNN(false);
    at::globalContext().setAllowTF32CuDNN(false);
    at::globalContext().setAllowTF32CuBLAS(false);
}

std::int64_t countParameters(const Network& network)
{
    std::int64_t count = 0;
    for (const at::Tensor& parameter : network.parameters())
        count += parameter.numel();
    return count;
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
    std::optional<std::int64_t> threads, RunStarted& started)
{
    const Experiment& experiment = request.experiment;
    started.plan = solvedPlan(experiment);
    setNumerics();

    PreparedRun run;
    run.data = makeResident(
        loadRawData(experiment.data, request.dataDirectories, experiment.run.seed), device);
    started.dataDescription = run.data.description;
    started.trainSamples = run.data.train.samples();
    started.testSamples = run.data.test.samples();
    run.warnings = planSteps(started);
    run.windows = WindowSequence(started.plan, started.trainSamples, experiment.run.epochs);
    run.schedule = scheduleOf(
        experiment,
        [windows = run.windows](std::int64_t epochs) { return windows.updatesWithin(epochs); },
        started.totalSteps);

    Experiment threaded = experiment;
    if (!threaded.run.threads)
        threaded.run.threads = threads;
    started.threads = chooseThreads(threaded, run.data, started.plan.micro);
    Experiment begun = experiment;
    if (!request.resumeFrom.empty())
        begun.model.initFrom.clear(); // the checkpoint holds the model
    run.network = makeNetwork(begun, run.data);
    started.parameters = countParameters(*run.network);
    return run;
}

} // namespace accrue
