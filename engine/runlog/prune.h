// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_connection.h"
#include "engine/runs/pruned_runs.h"

#include <string>
#include <vector>

namespace accrue {

// <file stem>.checkpoints/run-<id>-<first 8 of its token>, beside the file. The token, because two
// logs may have one stem, and a log begun anew counts from 1 again.
std::filesystem::path checkpointFolderOf(
    const std::filesystem::path& log, RunId run, const std::string& token);

// Archived and not training, as far as a reader can tell.
bool mayBePruned(const RunRecord& run);

// What the folders take that deleting this run would delete; 0 for one that is not archived.
std::int64_t checkpointBytes(
    SQLite::Database& database, const std::filesystem::path& log, RunId run);

enum class Prunable { Archived, Any };

// Deletes those of `runs` that are archived, or any, and not alive, in this process or another,
// with their checkpoint folders, within the caller's transaction; says which, and the bytes of the
// folders. One that is not archived stays, too, where it may be alive on another machine. A folder
// is deleted only at its own place, wherever the row says it is.
PrunedRuns deleteRuns(LogConnection& connection, const std::vector<RunId>& runs, Prunable which);

} // namespace accrue
