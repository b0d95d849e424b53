// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_connection.h"

#include <string>
#include <vector>

namespace accrue {

// <file stem>.checkpoints/run-<id>-<first 8 of its token>, beside the file. The token, because two
// logs may have the same stem, and a new log counts from 1 again.
std::filesystem::path checkpointFolderOf(
    const std::filesystem::path& log, RunId run, const std::string& token);

// The size of the folders that deleting this run would delete; 0 for one that is not archived.
std::int64_t checkpointBytes(
    SQLite::Database& database, const std::filesystem::path& log, RunId run);

// Within the caller's transaction, deletes those of `runs` that are archived (or any) and alive
// neither in this process nor in another, with their checkpoint folders; returns which, and the
// bytes of the folders. A run that is not archived is also spared if it may be alive on another
// machine. A folder is deleted only at the place that checkpointFolderOf names, whatever the row
// states.
PrunedRuns deleteRuns(LogConnection& connection, const std::vector<RunId>& runs, Prunable which);

} // namespace accrue
