// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

nlohmann::ordered_json jsonOf(const RunRecord& run);

// A run as docs/command_line.md describes it, and an array of them. Indented by two spaces.
std::string toJson(const RunRecord& run);
std::string toJson(const std::vector<RunRecord>& runs);

// "2026-03-01T09:30:00.250Z"; UTC.
std::string isoTime(std::int64_t unixMs);

} // namespace accrue
