// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/metrics.h"
#include "engine/runlog/run_log_reader.h"

#include <vector>

namespace accrue {

// The metrics of which any of these runs has summaries, and all of the table, in its order; those
// that it lacks come last. A run whose summaries cannot be read is reported, or left out, when its
// turn comes.
std::vector<MetricInfo> summarisedMetrics(RunLogReader& log, const std::vector<RunId>& runs);

// The metrics of one run that are exported at full resolution, in their order: also those of
// traces, which have no summaries.
std::vector<MetricInfo> seriesOf(RunLogReader& log, RunId run);

} // namespace accrue
