// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/memory_fit.h"

#include <optional>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// A law with everything that was measured, as files and the command line write it; units stand in
// the names. `problem`, `machine` and `stopped` are left out.
nlohmann::ordered_json jsonOf(const MemoryFit& fit);
// Back again; nullopt: it is none, or its numbers are not ones that a law can have.
std::optional<MemoryFit> fitOf(const nlohmann::json& json);

} // namespace accrue
