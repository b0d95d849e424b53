// SPDX-License-Identifier: Apache-2.0
#include "app/fit_watch.h"

#include "app/stop_signals.h"
#include "app/wrong_input.h"
#include "engine/experiment/format.h"

#include <stdexcept>

#include <unistd.h>

namespace accrue {
namespace {

std::string progressText(const FitProgress& now)
{
    return std::string(now.proving ? "proving the budget" : "measuring memory") + ": window "
        + formatCount(now.windows + 1) + ", micro-batch of " + formatCount(now.micro)
        + (now.micro == 1 ? " sample" : " samples")
        + (now.steps > 1 ? ", " + formatCount(now.steps) + " of them" : "");
}

} // namespace

WatchedFit watchedFit(Console& console,
    const std::function<MemoryFit(RunControl& control, const FitProgressSink& progress)>& measure)
{
    RunControl control;
    const StopSignals signals([&](int) { control.requestStop(); },
        [](int signal) { _exit(exitCodeOf(signal)); }); // nothing is kept half-done
    WatchedFit watched { .fit = measure(control, [&](const FitProgress& now) {
        if (console.terminal().err)
            console.showLive(progressText(now));
    }) };
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

} // namespace accrue
