// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <memory>
#include <utility>
#include <vector>

namespace accrue {

// A finished run of LeNet-5 on digits, b 32 × N 4, as the log would return it.
inline RunRecord recordOf(std::int64_t id)
{
    RunRecord run;
    run.id = RunId { id };
    run.name = "run-" + std::to_string(id);
    run.state = RunState::Finished;
    run.outcome = RunOutcome::Completed;
    run.createdMs = 1'700'000'000'000 + id * 60'000;
    run.experiment.name = run.name;
    run.device = "cpu";
    run.deviceName = "Example CPU";
    run.step = 100;
    run.totalSteps = 100;
    run.seconds = 12.5;
    run.throughput = 1024;
    run.peakBytes = 200 << 20;
    run.bestTestAccuracy = 0.98;
    run.finalTestLoss = 0.07;
    run.lastLoss = 0.05;
    return run;
}

inline std::shared_ptr<const std::vector<RunRecord>> runList(std::vector<RunRecord> runs)
{
    return std::make_shared<const std::vector<RunRecord>>(std::move(runs));
}

} // namespace accrue
