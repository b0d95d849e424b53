// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/memory_fit.h"

#include <optional>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// A memory model with everything that was measured, as files and the command line write it; the
// names state the units. `problem`, `machine` and `stopped` are left out.
nlohmann::ordered_json jsonOf(const MemoryFit& fit);
// The inverse; nullopt: it is no model, or its numbers are impossible for one.
std::optional<MemoryFit> fitOf(const nlohmann::json& json);

} // namespace accrue
