// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <cstdint>
#include <vector>

namespace accrue {

struct PrunedRuns {
    std::vector<RunId> runs; // the deleted ones
    std::int64_t bytesFreed = 0;
    Message notCompacted; // why the file itself could not be made smaller; empty: it was
};

} // namespace accrue
