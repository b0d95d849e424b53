// SPDX-License-Identifier: Apache-2.0
#include "engine/report/queued_training.h"

#include "engine/base/error.h"
#include "engine/experiment/validation.h"
#include "engine/report/budget_fit.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace accrue {

namespace {

// Several workers share the processors. A run that states its threads keeps them.
Experiment adapted(Experiment experiment, const WorkerTerms& terms)
{
    if (terms.device)
        experiment.run.device = *terms.device;
    const auto processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    if (terms.workersHere > 1 && !experiment.run.threads)
        experiment.run.threads = std::max(1, processors / terms.workersHere);
    return experiment;
}

ResolvedExperiment validated(Experiment experiment)
{
    for (const Finding& finding : validateForRun(experiment))
        if (finding.severity == Finding::Severity::Error)
            throw InputError(finding.message);
    return requireResolved(std::move(experiment));
}

ResolvedExperiment solved(
    Engine& engine, const ResolvedExperiment& asked, const WorkerTerms& terms, RunControl& control)
{
    FittedExperiment fitted = fittedToBudget(engine, asked, terms.dataDirectories, control, {});
    if (!fitted.fit.problem.empty())
        throw InputError(fitted.fit.problem);
    return std::move(fitted.resolved);
}

} // namespace

TrainingOrder orderOfQueued(Engine& engine, RunLogReader& log, const TakenRun& taken,
    const WorkerTerms& terms, RunControl& control)
{
    const RunRecord run = log.run(taken.id);
    TrainingOrder order;
    order.dataDirectories = terms.dataDirectories;
    order.stopAfter = taken.rung;
    order.stopsAtRung = taken.rung > 0;
    Experiment experiment = run.experiment;
    experiment.name = run.name;
    if (taken.begun) {
        const std::filesystem::path folder = log.checkpointFolder(run.id);
        if (Message problem = problemOfFolder(folder); !problem.empty())
            throw InputError(std::move(problem));
        // Of damaged ones the log tells nothing wrong: what they had, the run computes again.
        const auto from = chooseCheckpoint(engine, folder, checkOf(log, run)).newest;
        order.resumed = ResumedRun { run.id, from, trainedOn(from, run.data) };
        experiment = settingsToResume(run, from);
    } else {
        order.queued = run.id;
    }
    order.resolved =
        solved(engine, validated(adapted(std::move(experiment), terms)), terms, control);
    if (Message problem = resumeProblem(engine, order); !problem.empty())
        throw InputError(std::move(problem));
    return order;
}

} // namespace accrue
