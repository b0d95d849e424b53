// SPDX-License-Identifier: Apache-2.0
#include "app/fit_watch.h"

#include "app/fit_progress_report.h"
#include "app/run_tally.h"
#include "app/stop_signals.h"
#include "app/wrong_input.h"
#include "engine/door/law_store.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/format.h"

#include <stdexcept>

#include <unistd.h>

namespace accrue {
WatchedFit watchedFit(Console& console,
    const std::function<MemoryFit(RunControl& control, const FitProgressSink& progress)>& measure)
{
    RunControl control;
    const StopSignals signals([&](int) { control.requestStop(); },
        [](int signal) { _exit(exitCodeOf(signal)); }); // nothing is kept half-done
    FitProgressReport report(console);
    WatchedFit watched { .fit =
                             measure(control, [&](const FitProgress& now) { report.show(now); }) };
    console.clearLive();
    watched.signal = signals.received();
    return watched;
}

void refuseProblem(const MemoryFit& fit)
{
    if (fit.problem.empty())
        return;
    if (fit.machine)
        throw std::runtime_error(fit.problem);
    throw WrongInput(fit.problem);
}

std::optional<Experiment> solvedExperiment(
    Engine& engine, const FitRequest& request, Console& console, int& signal)
{
    if (!microFollowsBudget(request.experiment))
        return request.experiment;
    FittedExperiment fitted;
    const WatchedFit watched =
        watchedFit(console, [&](RunControl& control, const FitProgressSink& progress) {
            fitted = fittedToBudget(engine, request, control, progress);
            return fitted.fit;
        });
    signal = watched.signal;
    if (fitted.fit.stopped)
        return std::nullopt;
    refuseProblem(fitted.fit);
    console.say("Micro-batches of up to " + formatCount(fitted.largest)
        + " samples fit the budget of " + formatBytes(request.experiment.memory.budget->count)
        + ": " + planText(solveBatch(fitted.experiment).plan.value()) + ".");
    return fitted.experiment;
}

} // namespace accrue
