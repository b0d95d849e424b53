// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/resume_point.h"
#include "engine/experiment/experiment.h"
#include "engine/runlog/run_log_reader.h"

namespace accrue {

// What a checkpoint says of itself.
struct SavedPoint {
    Experiment experiment; // that it was trained with
    ResumePoint at;
    bool inWindow = false; // with a window that is open
};

// Holds a checkpoint of `run` against the log: its recipe, but for what resuming may change
// (resumed_settings.h), and the row of the step that it was saved after, where there is one.
// The message names what differs; empty: nothing. Blocks. Throws RunLogError.
Message differenceFromLog(RunLogReader& log, const RunRecord& run, const SavedPoint& saved);

// What keeps `run`, of the log, from being resumed after `updates` updates with the length that
// `now` says (checkLength of resumed_settings.h).
Findings checkLengthOf(const RunRecord& run, const ResolvedExperiment& now, std::int64_t updates);

} // namespace accrue
