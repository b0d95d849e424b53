// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/asked_recipe.h"
#include "engine/door/engine.h"
#include "engine/runlog/run_record.h"

#include <filesystem>
#include <optional>

namespace accrue {

// A run of the log that goes on.
struct ResumedRun {
    RunId id {};
    std::optional<SavedCheckpoint> from; // whole; empty: from the beginning
};

struct TrainedRun {
    int code = 0; // exit code
    RunId id {}; // of the log; 0: there is none
    std::filesystem::path checkpoint {}; // the last one; empty: none was saved
};

// Trains what was asked for, as `train` and `resume` do: finds data, engine and device, then begins
// the run or goes on with `resumed`, shows it, and prints what came of it. Blocks until the run has
// ended; signals stop it.
TrainedRun trainAsked(const AskedRecipe& asked, const Arguments& arguments, Console& console,
    const std::optional<ResumedRun>& resumed = {});

// Throws where the engine cannot be loaded.
Engine& requireEngine();

} // namespace accrue
