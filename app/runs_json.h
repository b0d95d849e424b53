// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/json_value.h"
#include "engine/runlog/equivalence.h"
#include "engine/runlog/run_record.h"

#include <nlohmann/json.hpp>

namespace accrue {

// A run as `list --json` shows it, as a value that can be added to.
nlohmann::ordered_json jsonOf(const RunRecord& run);
nlohmann::ordered_json jsonOf(const LossDifference& difference);
// The verdict with both differences, as `compare --json` and `equivalence --json` show it.
nlohmann::ordered_json jsonOf(const Equivalence& equivalence);
// Two spaces an indent, with a newline at the end; text that is not UTF-8 is repaired.
std::string textOf(const nlohmann::ordered_json& json);

} // namespace accrue
