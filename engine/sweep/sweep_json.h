// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sweep/sweep_definition.h"

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

inline constexpr int kSweepFormat = 1; // of the object below

// A definition as the run log and --json have it:
//
//   {"format": 1, "base": "recipe in TOML", "vary": [{"key": "batch.micro", "values": [8, 16]},
//    {"key": "optimizer.lr", "from": 0.001, "to": 1.0, "whole": false, "count": 4 or null,
//     "logarithmic": true}], "seeds": 1, "random": 0, "keep_effective": false,
//    "order": "given", "halving": 0}
nlohmann::ordered_json jsonOf(const SweepDefinition& sweep);
// The inverse. Throws Error: no JSON, of another format, a member that is missing, unknown or of
// another kind, a base that is no recipe, or what checkSweep refuses.
SweepDefinition sweepOf(std::string_view json);

} // namespace accrue
