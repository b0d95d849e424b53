// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_connection.h"
#include "engine/runlog/run_log_writer.h"

#include <vector>

namespace accrue {

// <file stem>.checkpoints/run-<id>, beside the file.
std::filesystem::path checkpointFolderOf(const std::filesystem::path& log, RunId run);

// Deletes those of `runs` that are archived and not alive, in this process or another, with their
// checkpoint folders, within the caller's transaction; says which, and the bytes of the folders. A
// folder is deleted only at its own place, wherever the row says it is.
PrunedRuns deleteArchivedRuns(LogConnection& connection, const std::vector<RunId>& runs);

} // namespace accrue
