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

// The folders of a run's checkpoints: FOLDER/step-000000470 for each saved step, and FOLDER/best.
std::filesystem::path checkpointAt(const std::filesystem::path& folder, std::int64_t step);
std::filesystem::path bestCheckpoint(const std::filesystem::path& folder);
// The step in the name of such a folder; nullopt: the name is not that of a checkpoint.
std::optional<std::int64_t> stepOfCheckpoint(const std::filesystem::path& checkpoint);
// The checkpoints of steps, the newest first. Reads no file. A missing folder contains none.
std::vector<std::filesystem::path> checkpointsIn(const std::filesystem::path& folder);

// From where a run can be resumed.
struct ResumeChoice {
    std::optional<SavedCheckpoint> newest; // the newest usable one; empty: from the beginning
    std::vector<SavedCheckpoint> damaged; // newer ones that cannot be used, the newest first
};
// Why an undamaged checkpoint must not be used; empty: it may be.
using CheckpointCheck = std::function<Message(const SavedCheckpoint&)>;
// Reads the checkpoints of `folder`, the newest first, up to the first that is undamaged and that
// `check` accepts. Blocks.
ResumeChoice chooseCheckpoint(
    Engine& engine, const std::filesystem::path& folder, const CheckpointCheck& check);

// Why a run may not save and remove its checkpoints in `folder`, as a sentence: it is a link, and
// the folder behind it does not belong to the run. Empty: it may.
Message problemOfFolder(const std::filesystem::path& folder);

// The settings that a run resumes with: `logged`, which has the last requested changes even if
// `from` is older (differenceFromLog of resume_check.h has accepted it). Only an open window keeps
// the split it began with. From the beginning, as many `threads` as then (0: unknown), because they
// decide how sums round; a checkpoint stores its own.
Experiment resumedSettings(
    const Experiment& logged, int threads, const std::optional<SavedCheckpoint>& from);
// The data that the run resumes with: the checkpoint's, or those of the log if there is no
// checkpoint or it does not store them.
DataIdentity trainedOn(const std::optional<SavedCheckpoint>& from, const DataIdentity& logged);

} // namespace accrue
