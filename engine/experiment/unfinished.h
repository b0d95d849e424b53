// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace accrue {

// Where this process writes what is to become `target`: TARGET.writing-PID, in the same folder.
std::filesystem::path unfinishedNameOf(const std::filesystem::path& target);

// Removes from `folder` what processes that were killed left under such names, of targets whose
// name is `target`; empty: of any. That is what has not been changed for a day, whose process has
// ended. What cannot be removed stays.
void removeUnfinished(const std::filesystem::path& folder, std::string_view target = {});

} // namespace accrue
