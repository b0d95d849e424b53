// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/keys.h"
#include "engine/runs/run_record.h"

#include <optional>
#include <string_view>

namespace accrue {

// The settings of a run as they took effect: the batch numbers that were solved, the threads that
// were used. Pure; any thread.

// Empty: no such key.
std::optional<SettingValue> settledSetting(const RunRecord& run, std::string_view key);
// All of them, in the order of docs/recipes.md.
Settings settledSettings(const RunRecord& run);

} // namespace accrue
