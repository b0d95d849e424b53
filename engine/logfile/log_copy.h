// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

namespace accrue {

// Writes what the log contains at one moment to `copy`, which must not exist, while others may read
// and write it; a copy gets its name when it is complete, and `prepare` (may be empty) has changed
// it under another name. Blocks. Throws RunLogError.
void copyLog(const std::filesystem::path& log, const std::filesystem::path& copy,
    const std::function<void(const std::filesystem::path&)>& prepare = {});

} // namespace accrue
