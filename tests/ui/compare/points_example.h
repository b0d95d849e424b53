// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/models/run_records.h"

#include "engine/report/run_comparison.h"

#include <cstdint>
#include <vector>

namespace accrue {

// b 8, 16, 32 and 64, with more memory and less time for each; the accuracy is best at b 32. The
// last run has another norm, and the second one no accuracy yet.
inline std::vector<RunRecord> fourRuns()
{
    std::vector<RunRecord> runs;
    for (const std::int64_t id : { 1, 2, 3, 4 }) {
        RunRecord run = recordOf(id);
        run.plan.micro = std::int64_t { 4 } << id;
        run.peakBytes = run.plan.micro << 20;
        run.seconds = 100.0 - 20.0 * static_cast<double>(id);
        runs.push_back(run);
    }
    runs[0].bestTestAccuracy = 0.90;
    runs[1].bestTestAccuracy.reset();
    runs[2].bestTestAccuracy = 0.98;
    runs[3].bestTestAccuracy = 0.97;
    runs[3].experiment.model.norm = Norm::Group;
    return runs;
}

} // namespace accrue
