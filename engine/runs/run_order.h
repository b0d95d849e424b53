// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_keys.h"
#include "engine/runs/run_record.h"

#include <string_view>
#include <vector>

namespace accrue {

// The order of runs in the table of the window and in `accrue list --sort`: by a key of run_keys.h.
// Runs without a value come last in either direction, equal ones the newest first. A value; pure.
class RunOrder {
public:
    // With an unknown key, no run has a value. `others`: keysOfOthers.
    RunOrder(std::string_view key, bool rising, const std::vector<std::string>& others = {});

    bool comesBefore(const RunRecord& a, const RunRecord& b) const;
    void sort(std::vector<RunRecord>& runs) const; // reads each run's value once
    void sort(std::vector<const RunRecord*>& runs) const; // likewise; none is null

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

// "accuracy", which sorts the best first, or with a direction "lr:asc", "lr:desc". Throws
// RunLogError if `text` is no order.
RunOrder runOrderOf(std::string_view text, const std::vector<std::string>& others = {});

} // namespace accrue
