// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/data_identity.h"
#include "engine/experiment/experiment.h"
#include "engine/training/checkpoint_toml.h"
#include "engine/training/run_state.h"
#include "engine/training/safetensors.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace torch::nn {
class Module;
}

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
    int threads = 1; // that computed
    std::string device; // "cpu", "cuda:0"
    std::string memoryFormat; // "contiguous", "channels_last"
    std::string recipe; // TOML as writeRecipe gives it
    NamedTensors model; // as the last update left it
    NamedTensors tensors; // of optimizer.* and, in the middle of a window, of window.*
};

// Parameters and buffers of a module, by name, as they live on its device.
NamedTensors namedState(const torch::nn::Module& module);

// Throws EngineError where writeCheckpoint could not even begin, so that it is said before hours of
// training. Makes missing parents; leaves nothing else.
void requireCheckpointPlace(const std::filesystem::path& folder);

// Into a temporary sibling, fsynced, then one rename; a folder that is there is replaced. Removes
// what processes that were killed while they wrote left in the same parent, after a day. Blocks.
// Throws EngineError.
void writeCheckpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

// Refuses, with a CheckpointError, what is missing, damaged (SHA-256) or of a newer format. Tensors
// are on the CPU. Whether a run comes to its position is not looked at (checkPosition).
Checkpoint readCheckpoint(const std::filesystem::path& folder);

} // namespace accrue
