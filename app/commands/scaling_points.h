// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/scaling_windows.h"

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// Measured windows as `accrue scale --json` prints them and `--points` reads them. `shard` and
// `link` may be missing in what is read: nothing is in parts, and all ranks are on one machine.
nlohmann::ordered_json jsonOf(const ScaledWindows& windows);

// Throws InputError if the file cannot be read, or has none or impossible ones.
std::vector<ScaledWindows> scaledWindowsIn(const std::string& file);

std::string_view nameOf(Sharding sharding); // as distributed.shard has it

} // namespace accrue
