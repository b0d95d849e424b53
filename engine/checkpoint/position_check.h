// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint.h"

namespace accrue {

// Compares position, cursor and figures of a checkpoint with each other and with the windows of its
// own recipe. Micro-batches are only compared with bounds, because another split of the same batch
// and an out-of-memory error change their number. Pure. Throws Error that names the values that no
// run reaches, or the recipe that cannot be trained.
void checkPosition(const Checkpoint& checkpoint);

} // namespace accrue
