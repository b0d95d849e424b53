// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/training/checkpoint.h"

namespace accrue {

// Holds position, cursor and figures of a checkpoint against each other and against the windows of
// its own recipe. Micro-batches are held between bounds only: another cut of the same batch, and
// memory that was too short, change their number. Pure. Throws EngineError with a sentence that
// names what no run comes to, or a recipe that cannot be trained.
void checkPosition(const Checkpoint& checkpoint);

} // namespace accrue
