// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_reader.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// The value of a metric that was logged last when a run had come to some step.
struct StepValue {
    RunId run {};
    std::string metric;
    std::int64_t step = 0; // at which it was logged
    double value = 0; // of several ranks their mean
};

// Of every metric that these runs have summaries of, its last value at or before `step`, which may
// be far before: evaluations are seldom, and a run may have ended. Reads a few rows of each,
// however long the run. Blocks. Throws RunLogError. Ends early, with what it has, if `isCancelled`
// says so.
std::vector<StepValue> readStepValues(RunLogReader& log, const std::vector<RunId>& runs,
    std::int64_t step, const std::function<bool()>& isCancelled = {});

} // namespace accrue
