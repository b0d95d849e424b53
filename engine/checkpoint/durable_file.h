// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/output_file.h"

#include <filesystem>

namespace accrue {

// A file of a checkpoint. Every failure throws Error naming the file and the system's words
// ("No space left on device").
OutputFile durableFile(const std::filesystem::path& file); // made or emptied

// Makes names that were created, renamed or removed in `folder` durable. Throws as durableFile.
void syncFolder(const std::filesystem::path& folder);

// Puts the folder `made` in the place of `target` by one rename: at any instant `target` is the old
// folder or the new one. Both have the same parent.
void replaceFolder(const std::filesystem::path& made, const std::filesystem::path& target);

} // namespace accrue
