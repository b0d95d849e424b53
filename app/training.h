// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/requested_recipe.h"
#include "engine/report/logged_training.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace accrue {

struct TrainedRun {
    int code = 0; // exit code
    RunId id {}; // in the log; 0: there is none
    std::filesystem::path checkpoint {}; // the last one; empty: none was saved
};

// How a training of another command differs from one of `train`.
struct TrainingTerms {
    std::optional<ResumedRun> resumed {}; // empty: a new run
    std::int64_t stopAfter = 0; // updates (TrainRequest); 0: to the end
    // Without a log: where the model is saved, in a folder that the caller deletes. Empty: with the
    // user's data.
    std::filesystem::path scratch {};
    std::optional<RankPlace> place {}; // rank 0 of those that a launcher started
    bool checked = false; // requireTrainable was called and threw nothing
    std::vector<SeriesRow>* losses = nullptr; // filled with each update's loss; borrowed
};

// Trains the recipe, as `train` does: finds data, engine and device, begins the run or resumes one,
// shows it, and prints its results. Blocks until the run has ended; signals stop it.
TrainedRun trainAsked(const RequestedRecipe& asked, const Arguments& arguments, Console& console,
    const TrainingTerms& terms = {});

} // namespace accrue
