// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace accrue {

// Beside the checkpoints of a run, the name of the launch that began it. A launcher that starts all
// ranks again after one of them failed (torchrun --max-restarts) goes on with that run.

// Throws Error naming the file.
void markLaunch(const std::filesystem::path& checkpoints, const std::string& launch);
bool isOfLaunch(const std::filesystem::path& checkpoints, const std::string& launch);

} // namespace accrue
