// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/console.h"
#include "engine/door/engine.h"
#include "engine/door/run_control.h"

#include <functional>
#include <optional>

namespace accrue {

// Shows the windows that are computed for a fit (fit_progress_report.h), and stops it where a
// signal comes.
struct WatchedFit {
    MemoryFit fit;
    int signal = 0; // that stopped it; 0: none
};
WatchedFit watchedFit(Console& console,
    const std::function<MemoryFit(RunControl& control, const FitProgressSink& progress)>& measure);

// Throws the fit's problem as what it is: WrongInput, or the machine's.
void refuseProblem(const MemoryFit& fit);

// The request's experiment as it is trained: where b follows the memory budget, it is solved, and
// that is said. Throws where nothing fits. Empty: `signal` stopped it.
std::optional<Experiment> solvedExperiment(
    Engine& engine, const FitRequest& request, Console& console, int& signal);

} // namespace accrue
