// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "engine/sweep/sweep_runs.h"
#include "engine/sweep/update_time.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// The devices that an experiment with that run.device may be trained on, in the order in which one
// is chosen.
std::vector<std::string> possibleDevices(const std::string& runDevice);

// How long runs take, by those of this machine that were logged. Immutable; any thread.
class LoggedTimes {
public:
    LoggedTimes() = default; // nothing is known
    // Of the first `most` runs that can be compared with.
    explicit LoggedTimes(const std::vector<RunRecord>& runs, std::size_t most = SIZE_MAX);

    bool isEmpty() const { return m_timed.empty(); }

    // Of a run of that many updates; empty: nothing comparable was trained.
    std::optional<PredictedTime> of(
        const Experiment& experiment, const BatchPlan& plan, std::int64_t updates) const;
    // Training samples of its data set; empty: no run with the same one was trained.
    std::optional<std::int64_t> samplesOf(const Experiment& experiment) const;

private:
    std::map<std::string, std::vector<TimedUpdates>> m_timed; // by what determines the time
    std::map<std::string, std::int64_t> m_samples; // by the settings that choose the data set
};

// The time of queued runs that was not known when they were added, by the runs that were trained
// since. `runs`: of the whole log, newest first. Looks at folders of data, and at this machine.
void predictMissingTimes(std::vector<RunRecord>& runs);

// The settings of the data set, as lines.
std::string dataSettings(const Experiment& experiment);

} // namespace accrue
