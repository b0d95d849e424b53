// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace accrue {

// A run as its row tells it; whether it is alive is another question.
struct StoredRun {
    RunRecord record; // state left Unknown, except Finished
    bool paused = false;
    std::string bootId;
};

// Recipes already read, by run: a run's recipe never changes and its id is never given twice.
using ExperimentCache = std::map<std::int64_t, Experiment>;

// Newest first; nullopt: all.
std::vector<StoredRun> readRuns(
    SQLite::Database& database, ExperimentCache& cache, std::optional<RunId> only);

// Adds the row and its settings within the caller's transaction.
RunId insertRun(SQLite::Database& database, const Experiment& experiment, const std::string& token);

} // namespace accrue
