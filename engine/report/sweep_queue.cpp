// SPDX-License-Identifier: Apache-2.0
#include "engine/report/sweep_queue.h"

#include "engine/sweep/halving.h"
#include "engine/sweep/sweep_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace accrue {

std::vector<RunToQueue> runsToQueue(const SweepDefinition& sweep, const std::vector<SweepRun>& runs)
{
    const auto possible =
        std::count_if(runs.begin(), runs.end(), [](const SweepRun& run) { return run.canRun(); });
    std::vector<RunToQueue> queued;
    for (const SweepRun& run : runs) {
        if (!run.canRun())
            continue;
        const SweepPrediction& known = run.prediction;
        RunToQueue& each = queued.emplace_back();
        each.resolved = *run.resolved;
        if (known.peakBytes)
            each.predictedBytes = static_cast<double>(*known.peakBytes);
        if (known.time)
            each.predictedSeconds = known.time->seconds;
        each.rungs = halvingRungs(known.updates.value_or(0), possible, sweep.halving);
    }
    return queued;
}

SweepToQueue sweepToQueue(const SweepDefinition& sweep)
{
    return { sweep.base.name, jsonOf(sweep).dump() };
}

} // namespace accrue
