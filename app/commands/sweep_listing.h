// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sweep/sweep_runs.h"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// The runs that a sweep makes, as `accrue sweep` prints them, numbered from 1 in their order: a
// table with what is predicted of each, the findings about them, and the totals. What is not known
// is a dash, and null in JSON.
std::string sweepText(const SweepRuns& sweep, bool colours);
nlohmann::ordered_json sweepJson(const SweepDefinition& definition, const SweepRuns& sweep);

} // namespace accrue
