// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/resolved.h"
#include "engine/insight/memory_fit.h"

#include <string>

namespace accrue {

// What `accrue fit` prints of its measurements: the points, the memory model, the proof of a
// budget, the fastest split of B, what N changes, and the cards. `fit` has a memory model.
std::string fitText(const ResolvedExperiment& resolved, const MemoryFit& fit, bool colours);

} // namespace accrue
