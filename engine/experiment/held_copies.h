// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>

namespace accrue {

// Tensors of each parameter's shape that a run holds: the parameter, its gradient, what the
// optimizer stores for it, and what the settings add.
std::int64_t heldCopies(const Experiment& experiment);
// Values of these on each device, at least, for so many parameters: without padding, and without
// the chunks that it gathers. `most`: the largest result.
std::int64_t heldValues(const Experiment& experiment, std::int64_t parameters, std::int64_t most);

} // namespace accrue
