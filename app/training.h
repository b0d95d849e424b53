// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/asked_recipe.h"
#include "engine/door/engine.h"
#include "engine/runlog/run_record.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace accrue {

// A run of the log that goes on.
struct ResumedRun {
    RunId id {};
    std::optional<SavedCheckpoint> from; // whole; empty: from the beginning
    DataIdentity data; // that it was trained on; may be unknown
};

struct TrainedRun {
    int code = 0; // exit code
    RunId id {}; // of the log; 0: there is none
    std::filesystem::path checkpoint {}; // the last one; empty: none was saved
};

// How a training of another command differs from one of `train`.
struct TrainingTerms {
    std::optional<ResumedRun> resumed {}; // the run that goes on; empty: a new one
    std::int64_t stopAfter = 0; // updates (TrainRequest); 0: to the end
    // Without a log: where the model is saved, by one who deletes it. Empty: with the user's data.
    std::filesystem::path scratch {};
    bool checked = false; // canBeTrained has said that it can be
    std::vector<SeriesRow>* losses = nullptr; // filled with each update's loss; borrowed
};

// Trains what was asked for, as `train` does: finds data, engine and device, then begins the run or
// goes on with one, shows it, and prints what came of it. Blocks until the run has ended; signals
// stop it.
TrainedRun trainAsked(const AskedRecipe& asked, const Arguments& arguments, Console& console,
    const TrainingTerms& terms = {});

// Throws where the engine cannot be loaded.
Engine& requireEngine();

} // namespace accrue
