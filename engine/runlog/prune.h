// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_connection.h"

#include <cstdint>

namespace accrue {

// <file stem>.checkpoints/run-<id>, beside the file.
std::filesystem::path checkpointFolderOf(const std::filesystem::path& log, RunId run);

// Deletes the archived runs that are not alive, in this process or another, with their
// checkpoint folders, within the caller's transaction; bytes of the folders. A folder is deleted
// only at its own place, wherever the row says it is.
std::int64_t deleteArchivedRuns(LogConnection& connection);

} // namespace accrue
