// SPDX-License-Identifier: Apache-2.0
#include "app/fit_watch.h"

#include "app/exit_code.h"
#include "app/progress_lines.h"
#include "app/run_tally.h"
#include "app/stop_signals.h"
#include "engine/base/error.h"
#include "engine/report/budget_fit.h"

#include <unistd.h>

namespace accrue {

MemoryFit watchedFit(Console& console,
    const std::function<MemoryFit(RunControl& control, const FitProgressSink& progress)>& measure)
{
    RunControl control;
    const StopSignals signals([&](int) { control.requestStop(); },
        [](int signal) { _exit(exitCodeOf(signal)); }); // nothing is stored half-done
    FitProgressReport report(console);
    MemoryFit fit = measure(control, [&](const FitProgress& now) { report.show(now); });
    console.clearLive();
    if (fit.stopped)
        throw CommandEnd(exitCodeOf(signals.received()));
    return fit;
}

void refuseProblem(const MemoryFit& fit)
{
    if (fit.problem.empty())
        return;
    // The exit code separates the machine's failures from requests that cannot be fulfilled.
    if (fit.machine)
        throw Error(fit.problem);
    throw InputError(fit.problem);
}

ResolvedExperiment solvedExperiment(Engine& engine, const ResolvedExperiment& asked,
    const std::vector<std::filesystem::path>& dataDirectories, Console& console)
{
    if (!microFollowsBudget(asked.experiment))
        return asked;
    FittedExperiment fitted;
    refuseProblem(watchedFit(console, [&](RunControl& control, const FitProgressSink& progress) {
        fitted = fittedToBudget(engine, asked, dataDirectories, control, progress);
        // A signal after the last window stopped no fit, but is meant for what follows.
        if (control.stopRequested() && fitted.fit.problem.empty())
            fitted.fit.stopped = true;
        return fitted.fit;
    }));
    console.say(Message("cli.fitted_to_budget",
        { { "largest", fitted.largest },
            { "budget", ByteCount { asked.experiment.memory.budget->count } },
            { "plan", planText(fitted.resolved.plan) } }));
    return fitted.resolved;
}

} // namespace accrue
