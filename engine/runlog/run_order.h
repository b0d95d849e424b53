// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// By which runs are sorted, by the table of the window and by `accrue list --sort`: a key of
// run_keys.h. Runs that have no value come last in either direction, equal ones the newest first. A
// value; pure.
struct RunOrder {
    std::string key;
    bool rising = true;

    bool comesBefore(const RunRecord& a, const RunRecord& b) const;
};

// "accuracy", what is best first, or with a direction "lr:asc", "lr:desc". Throws RunLogError where
// it is none.
RunOrder runOrderOf(std::string_view text);

void sortRuns(std::vector<RunRecord>& runs, const RunOrder& order);

} // namespace accrue
