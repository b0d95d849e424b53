// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/json_value.h"
#include "engine/runlog/equivalence.h"
#include "engine/runlog/run_json.h"

#include <nlohmann/json.hpp>

// Beside the run itself, jsonOf(const RunRecord&).
namespace accrue {

nlohmann::ordered_json jsonOf(const LossDifference& difference);
// The verdict with both differences, as `compare --json` and `equivalence --json` show it.
nlohmann::ordered_json jsonOf(const Equivalence& equivalence);
// Two spaces an indent, with a newline at the end; text that is not UTF-8 is repaired.
std::string textOf(const nlohmann::ordered_json& json);

} // namespace accrue
