// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/checkpoints.h"
#include "engine/door/engine.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// What commands need from the engine. Each function throws if that is missing, so that a command
// continues only with everything it needs.

// Throws Error if the engine cannot be loaded.
Engine& requireEngine();

// The device that `wanted` names on this machine: "auto" and "cuda" are the first CUDA device,
// "auto" is the CPU if there is none. Throws InputError with the devices of this machine if none
// has that name; `option` is where it was requested, "base.toml:3: run.device" or "--device".
DeviceInfo chooseDevice(Engine& engine, const std::string& wanted, const std::string& option);
// Throws InputError if no device could have that name; needs no engine.
void requireDeviceName(const std::string& wanted, const std::string& option);
// Its id alone. For the CPU the engine lists no devices.
std::string chooseDeviceId(Engine& engine, const std::string& wanted, const std::string& option);

// ---- checkpoints ------------------------------------------------------------------------------

// Names of the checkpoints in a run's folder, "best" and the newest first.
std::vector<std::string> checkpointNames(const std::filesystem::path& folder);
// Throws InputError if `name`, given by --from, is none of `allowed`: no name leads out of a run's
// folder.
void requireName(const std::string& name, const std::vector<std::string>& allowed);
// Throws InputError if it is damaged, or `check` rejects it. Blocks.
SavedCheckpoint wholeCheckpoint(
    Engine& engine, const std::filesystem::path& checkpoint, const CheckpointCheck& check = {});

} // namespace accrue
