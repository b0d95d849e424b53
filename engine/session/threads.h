// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/tensors/resident_data_set.h"

#include <cstdint>

namespace accrue {

// Sets the number of intra-op threads of the process for a run and returns it: run.threads if it is
// given, at most this process's share of the cores that it and `sharers` − 1 others may use. For
// auto on the CPU it times some micro-batches of a scratch copy of the model at 1, 2, 4 … cores and
// chooses the fewest that are within 3 % of the fastest; on CUDA one thread, because the host only
// enqueues. Blocks, below a second for small models. Reseeds the global random state: call it
// before the run's model is made.
int chooseThreads(
    const Experiment& experiment, const ResidentDataSet& data, std::int64_t micro, int sharers = 1);

} // namespace accrue
