// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

class LogConnection;

// A run as its row describes it; the row cannot show whether it is alive.
struct StoredRun {
    RunRecord record; // state left Unknown, except Finished
    bool paused = false;
    std::string bootId;
};

// `alive`: a process holds the run's lock.
RunState stateOf(const StoredRun& run, bool alive);

// Recipes that were already read, by run, whose id is never reused: only another attempt changes
// one. Of a run without a recipe its settings, which have changed if their checksum has.
struct CachedExperiment {
    int attempt = 0;
    Experiment experiment;
    std::optional<double> sealOfSettings;
    Settings settings;
};
using ExperimentCache = std::map<std::int64_t, CachedExperiment>;

// Newest first; nullopt: all.
std::vector<StoredRun> readRuns(
    SQLite::Database& database, ExperimentCache& cache, std::optional<RunId> only);

std::string tokenOf(SQLite::Database& database, RunId run); // empty: there is no such run

// Adds the row, its settings and its first attempt within the caller's transaction.
RunId insertRun(
    SQLite::Database& database, const ResolvedExperiment& resolved, const std::string& token);

// Whether something else than Accrue trained it; its values are then all stored by name.
bool isForeign(SQLite::Database& database, RunId run);

// The same without an attempt: a run of the queue, which has none before it is begun.
RunId insertRunWithoutAttempt(
    SQLite::Database& database, const ResolvedExperiment& resolved, const std::string& token);
// The first attempt of such a run, by this process, with the settings `resolved`; within the
// caller's transaction.
void beginQueuedRun(LogConnection& connection, RunId run, const ResolvedExperiment& resolved);

// The recipe and the settings of a run that resumes with others, within the caller's transaction.
void replaceRecipe(LogConnection& connection, RunId run, const Experiment& experiment);

// An attempt by this process, beginning now, within the caller's transaction.
void insertAttempt(SQLite::Database& database, RunId run, int attempt, const ResumePoint& from);
std::vector<RunAttempt> readAttempts(SQLite::Database& database, RunId run); // in their order

} // namespace accrue
