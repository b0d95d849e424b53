// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// An installed engine contains no path of LibTorch, so that it can be copied to other machines. If
// the dynamic linker does not find LibTorch, these functions search for it.

// Folders with LibTorch of `version` ("2.11.0", whatever it was built for; empty: any), in this
// order: of the Python whose path is $ACCRUE_PYTHON, then of the complete environments of
// scripts/setup.sh ($ACCRUE_DEPS_DIR, otherwise the user's cache). Starts no Python. To find no
// folder is not an error.
std::vector<std::filesystem::path> torchFolders(const std::string& version);

// Opens LibTorch in `folder`. Libraries that are opened later and need it by name get this one. It
// stays open. Not empty: dlerror's text, why it cannot be opened. Blocks, half a second or more.
std::string openTorch(const std::filesystem::path& folder);

} // namespace accrue
