// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/resume_point.h"
#include "engine/experiment/experiment.h"
#include "engine/runlog/run_log_reader.h"

namespace accrue {

// What a checkpoint stores about itself.
struct SavedPoint {
    Experiment experiment; // with which it was trained
    ResumePoint at;
    bool inWindow = false; // saved while a window was open
};

// Compares a checkpoint of `run` with the log: its recipe, except for what resuming may change
// (resumed_settings.h), and the row of the step after which it was saved, if there is one. The
// message names what differs; empty: nothing. Blocks. Throws RunLogError.
Message differenceFromLog(RunLogReader& log, const RunRecord& run, const SavedPoint& saved);

// What prevents `run`, of the log, from being resumed after `updates` updates with the length of
// `now` (checkLength of resumed_settings.h).
Findings checkLengthOf(const RunRecord& run, const ResolvedExperiment& now, std::int64_t updates);

} // namespace accrue
