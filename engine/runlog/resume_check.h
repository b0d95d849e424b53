// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/resume_point.h"
#include "engine/experiment/experiment.h"
#include "engine/runlog/run_log_reader.h"

#include <string>

namespace accrue {

// What a checkpoint says of itself.
struct SavedPoint {
    Experiment experiment; // that it was trained with
    ResumePoint at;
    bool inWindow = false; // with a window that is open
};

// Holds a checkpoint of `run` against the log: its recipe, but for what resuming may change
// (resumed_settings.h), and the row of the step that it was saved after, where there is one. A
// sentence that names what differs; empty: nothing. Blocks. Throws RunLogError.
std::string differenceFromLog(RunLogReader& log, const RunRecord& run, const SavedPoint& saved);

} // namespace accrue
