// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/queue/run_queue.h"
#include "engine/sweep/sweep_runs.h"

#include <vector>

namespace accrue {

// A sweep as a queue receives it: those of its runs that can be trained, with what is predicted.
// Successive halving compares them where each has made the same share of its own updates.
std::vector<RunToQueue> runsToQueue(
    const SweepDefinition& sweep, const std::vector<SweepRun>& runs);
SweepToQueue sweepToQueue(const SweepDefinition& sweep);

} // namespace accrue
