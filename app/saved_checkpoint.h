// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/checkpoints.h"
#include "engine/runlog/run_log_reader.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// Names of the checkpoints in a run's folder, "best" and the newest first.
std::vector<std::string> checkpointNames(const std::filesystem::path& folder);
// Throws WrongInput where `name`, given by --from, is none of `allowed`: no name leads out of a
// run's folder.
void requireName(const std::string& name, const std::vector<std::string>& allowed);
// Throws WrongInput where it is not whole, or `check` does not let it pass. Blocks.
SavedCheckpoint wholeCheckpoint(
    Engine& engine, const std::filesystem::path& checkpoint, const CheckpointCheck& check = {});

// Whether a checkpoint is of `run` as the log has it. Both are borrowed.
CheckpointCheck checkOf(RunLogReader& log, const RunRecord& run);

} // namespace accrue
