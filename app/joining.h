// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"
#include "engine/door/rank_place.h"

namespace accrue {

// `train` and `resume` as a rank above 0: trains what rank 0 trains, and prints nothing unless it
// fails. What the run needs and shows is the matter of rank 0, so all arguments are ignored except
// --data. Blocks until the run has ended; returns the exit code.
int joinRun(const RankPlace& place, const Arguments& arguments, Console& console);

} // namespace accrue
