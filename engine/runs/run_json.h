// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// A run as docs/command_line.md describes it.
nlohmann::ordered_json jsonOf(const RunRecord& run);

// "2026-03-01T09:30:00.250Z"; UTC.
std::string isoTime(std::int64_t unixMs);

} // namespace accrue
