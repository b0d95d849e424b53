// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/console.h"
#include "engine/door/engine.h"
#include "engine/door/run_control.h"
#include "engine/experiment/resolved.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace accrue {

// Shows the windows that a fit computes (FitProgressReport), and stops the fit at a signal. Throws
// CommandEnd if the fit was stopped.
MemoryFit watchedFit(Console& console,
    const std::function<MemoryFit(RunControl& control, const FitProgressSink& progress)>& measure);

// Throws the fit's problem: as InputError, or as Error if the machine is the cause.
void refuseProblem(const MemoryFit& fit);

// The experiment as it is trained: if b follows the memory budget, it is measured and printed.
// Throws if not even one sample fits, and CommandEnd if a signal came meanwhile.
ResolvedExperiment solvedExperiment(Engine& engine, const ResolvedExperiment& asked,
    const std::vector<std::filesystem::path>& dataDirectories, Console& console);

} // namespace accrue
