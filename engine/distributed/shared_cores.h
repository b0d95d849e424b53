// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/window/world.h"

namespace accrue {

// The number of ranks, this one included, that may use the same cores of one machine: they share
// them out. A launcher that binds each rank to cores of its own leaves nothing to share. Blocks
// until every rank has called it.
int ranksOnTheseCores(World& world);

} // namespace accrue
