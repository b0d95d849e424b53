// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>

namespace accrue {

// Tensors of each parameter's shape that a run holds: the parameter, its gradient, what the
// optimizer stores for it, and what the settings add.
std::int64_t heldCopies(const Experiment& experiment);

} // namespace accrue
