// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/resident_data_set.h"
#include "engine/experiment/experiment.h"

#include <cstdint>

namespace accrue {

// Sets the intra-op threads of a run on this thread and the process, and returns them: run.threads
// where it is given, at most the cores this process may use. For auto on the CPU, times some
// micro-batches of a scratch copy of the model at 1, 2, 4 … cores, and keeps the fewest that is
// within 3 % of the fastest; on CUDA one thread, because the host only enqueues. Blocks, below a
// second for small models. Reseeds the global random state: call it before the run's model is made.
int chooseThreads(const Experiment& experiment, const ResidentDataSet& data, std::int64_t micro);

} // namespace accrue
