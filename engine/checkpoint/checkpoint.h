// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint_toml.h"
#include "engine/checkpoint/run_state.h"
#include "engine/checkpoint/safetensors.h"
#include "engine/events/data_identity.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace accrue {

// What a checkpoint folder holds: model.safetensors (parameters and buffers by their names, and in
// its metadata the data that it was trained on), state.safetensors (everything else in tensors) and
// checkpoint.toml (position, recipe, data, versions, SHA-256 of the two, and in its last line of
// itself). Written whole or not at all, and never in a format that can carry code.
struct Checkpoint {
    std::int64_t format = kCheckpointFormat;
    RunState state;
    std::int64_t trainSamples = 0; // of the data set
    DataIdentity data; // that it was trained on; not known in format 2
    std::int64_t threads = 1; // that the run computed with
    std::string device; // "cpu", "cuda:0"
    std::string memoryFormat; // "contiguous", "channels_last"
    std::string recipe; // TOML as writeRecipe gives it
    NamedTensors model; // as the last update left it
    NamedTensors tensors; // of optimizer.* and, in the middle of a window, of window.*
};

// Throws Error if writeCheckpoint could not even begin, so that the user learns it before hours of
// training. Creates missing parents and nothing else.
void requireCheckpointPlace(const std::filesystem::path& folder);

// Writes into a temporary sibling, syncs it and renames it; an existing folder is replaced. Also
// removes, from the same parent, siblings older than a day, which killed processes left behind.
// Blocks. Throws Error.
void writeCheckpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

// Throws CheckpointError if a file is missing, damaged (SHA-256) or of a newer format. The tensors
// are on the CPU. Does not check whether a run can reach the position; checkPosition does.
Checkpoint readCheckpoint(const std::filesystem::path& folder);

} // namespace accrue
