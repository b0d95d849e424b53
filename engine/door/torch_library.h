// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// An installed engine names no folder in which LibTorch lies, so that it can be handed on. Where
// the dynamic linker does not find LibTorch by itself, it is looked for here.

// Folders that hold LibTorch of `version` ("2.11.0", whatever it was built for; empty: of any), in
// order: of the Python that $ACCRUE_PYTHON names by its path, then of the environments that
// scripts/setup.sh has made whole ($ACCRUE_DEPS_DIR, otherwise the user's cache). No Python is
// started. No folder is not an error.
std::vector<std::filesystem::path> torchFolders(const std::string& version);

// Opens LibTorch in `folder`: what needs its libraries by their names gets these from then on. They
// stay open. Not empty: dlerror's words, why it cannot be opened. Blocks, half a second or more.
std::string openTorch(const std::filesystem::path& folder);

} // namespace accrue
