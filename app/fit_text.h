// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/memory_fit.h"

#include <string>

namespace accrue {

// What `accrue fit` prints of what it measured for the experiment: the points, the memory model,
// the proof of a budget, the fastest split of B, what N changes, and the cards. `fit` has a law.
std::string fitText(const Experiment& experiment, const MemoryFit& fit, bool colours);

} // namespace accrue
