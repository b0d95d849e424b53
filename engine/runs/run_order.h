// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_keys.h"
#include "engine/runs/run_record.h"

#include <string_view>
#include <vector>

namespace accrue {

// By which runs are sorted, by the table of the window and by `accrue list --sort`: a key of
// run_keys.h. Runs that have no value come last in either direction, equal ones the newest first. A
// value; pure.
class RunOrder {
public:
    // Of a key that there is not, no run has a value.
    RunOrder(std::string_view key, bool rising);

    bool comesBefore(const RunRecord& a, const RunRecord& b) const;
    void sort(std::vector<RunRecord>& runs) const; // reads each run's value once

private:
    struct Place { // of a run
        RunValue value;
        RunId id {};
    };
    Place placeOf(const RunRecord& run) const;
    bool comesBefore(const Place& a, const Place& b) const;

    RunReading m_reading;
    bool m_rising;
};

// "accuracy", what is best first, or with a direction "lr:asc", "lr:desc". Throws RunLogError where
// it is none.
RunOrder runOrderOf(std::string_view text);

} // namespace accrue
