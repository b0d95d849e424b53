// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

// A sweep as the log has it. Its runs name it (RunRecord::sweep).
struct SweepRecord {
    std::int64_t id = 0;
    std::string name;
    std::int64_t createdMs = 0; // Unix time
    std::string definition; // JSON, as engine/sweep reads it; empty: the row is damaged
};

// What a log says of its queue as a whole; the place of each run is in its record.
struct QueueState {
    bool held = false; // no worker takes anything
    std::vector<RunId> toStop {}; // which their workers shall stop
    std::vector<SweepRecord> sweeps {}; // newest first
};

} // namespace accrue
