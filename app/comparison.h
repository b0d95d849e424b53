// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/keys.h"
#include "engine/runlog/equivalence.h"
#include "engine/runlog/run_log_reader.h"

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Runs side by side: the settings in which they differ, and each metric's summary. One value a run,
// in the order of `runs`. Pure data; computing it reads the log.
struct Comparison {
    struct Setting {
        std::string key;
        std::vector<SettingValue> values;
    };
    struct Metric {
        MetricInfo info;
        std::vector<std::optional<MetricSummary>> values; // nullopt: the run has none
    };
    std::vector<RunRecord> runs;
    std::vector<Setting> differing; // without name; run.threads as used, never auto
    std::vector<Metric> metrics; // those that one run has at least
    std::optional<Equivalence> equivalence; // of two runs
};

// Blocks. Throws RunLogError.
Comparison compareRuns(RunLogReader& log, const std::vector<RunId>& ids);

// "98.71 %", "12.3 ms", "212 MiB": a metric's value for people.
std::string metricText(const MetricInfo& metric, double value);

// False for metrics of which neither a low nor a high value is better news for people: the learning
// rate, the gradient's norm, the parts of a step's time, memory (whose highest value counts).
bool hasBest(const MetricInfo& metric);

} // namespace accrue
