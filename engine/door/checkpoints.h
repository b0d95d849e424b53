// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Where a run's checkpoints lie: FOLDER/step-000000470, one a saved step, and FOLDER/best.
std::filesystem::path checkpointAt(const std::filesystem::path& folder, std::int64_t step);
std::filesystem::path bestCheckpoint(const std::filesystem::path& folder);
// The step of such a folder's name; nullopt: it is no checkpoint's.
std::optional<std::int64_t> stepOfCheckpoint(const std::filesystem::path& checkpoint);
// Those of steps, the newest first. Nothing is read; a folder that is not there holds none.
std::vector<std::filesystem::path> checkpointsIn(const std::filesystem::path& folder);

// From where a run can go on.
struct ResumeChoice {
    std::optional<SavedCheckpoint> newest; // the newest that is whole; empty: from the beginning
    std::vector<SavedCheckpoint> damaged; // those after it, the newest first
};
// Why a whole checkpoint must not be used; empty: it may be.
using CheckpointCheck = std::function<Message(const SavedCheckpoint&)>;
// Reads the checkpoints of `folder` from the newest to the first that is whole and that `check`
// lets pass. Blocks.
ResumeChoice chooseCheckpoint(
    Engine& engine, const std::filesystem::path& folder, const CheckpointCheck& check);

// Why a run may not save and remove its checkpoints in `folder`, a sentence: it is a link, and what
// is behind it is not the run's. Empty: it may.
Message problemOfFolder(const std::filesystem::path& folder);

// The settings that a run goes on with: `logged`, which is what was last asked for, also where
// `from` was saved before that; differenceFromLog (resume_check.h) has let it pass. Only an open
// window is cut as it was begun. From the beginning with as many `threads` as then (0: not known),
// because that decides how sums are rounded; a checkpoint knows its own.
Experiment resumedSettings(
    const Experiment& logged, int threads, const std::optional<SavedCheckpoint>& from);
// The data that it goes on with: the checkpoint's, or those of the log where that does not know
// them or there is none.
DataIdentity trainedOn(const std::optional<SavedCheckpoint>& from, const DataIdentity& logged);

} // namespace accrue
