// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/metrics.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <string>

namespace accrue {

// Names of TensorBoard for what a run has. Pure.

// Under which a metric is shown. TensorBoard makes a group of all tags with the same part before
// the slash: "loss/train" (of each update), "loss/train_epoch", "loss/test", "accuracy/test",
// "optimizer/learning_rate", "time/step_ms", "memory/peak_bytes", "devices/wait_ms/rank_1",
// "trace/traced_value_1". A metric that the table of metrics lacks keeps its name.
std::string tagOf(const MetricInfo& metric, std::int64_t rank = 0);

// Whether a value stands at the number of its micro-batch instead of that of its update.
inline bool isByMicroBatch(const MetricInfo& metric)
{
    return metric.section == MetricSection::Trace;
}

// The folder of a run: its name with `_` for whatever a file system, a shell or a URL could take
// for something else, and its number, so that no two runs of a log share one: "lenet5-mnist-12".
std::string folderNameOf(const RunRecord& run);

} // namespace accrue
