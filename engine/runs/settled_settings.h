// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/keys.h"
#include "engine/runs/run_record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The settings of a run as they took effect: the batch numbers that were solved, the threads that
// were used. A run without a recipe has those that it was logged with. Pure; any thread.

// Empty: no such key. A setting of a run without a recipe may be spelled as the short name of the
// key, "lr".
std::optional<SettingValue> settledSetting(const RunRecord& run, std::string_view key);
// All of them, in the order of docs/recipes.md, or by their keys.
Settings settledSettings(const RunRecord& run);
// The same as they were requested: of a recipe its values.
Settings requestedSettings(const RunRecord& run);
// Those that had no effect in the run.
std::vector<std::string> unreadKeys(const RunRecord& run);
// The keys of those settings that Accrue has no key for, in the order of their names: runs without
// a recipe have keys of any name.
std::vector<std::string> keysOfOthers(const std::vector<RunRecord>& runs);
// Whether the run has the value that a recipe has without a line for it.
bool isDefault(const RunRecord& run, std::string_view key);

} // namespace accrue
