// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/parameter_histogram.h"
#include "engine/experiment/keys.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

struct ForeignPoint {
    std::int64_t step = 0; // not below 0
    double seconds = 0; // since the run began
    double value = 0; // may be non-finite
    friend bool operator==(const ForeignPoint&, const ForeignPoint&) = default;
};
struct ForeignSeries {
    std::string metric; // any name, UTF-8
    std::vector<ForeignPoint> points; // by step, each step once
};

// A run that something else than Accrue trained, as it is imported: docs/run_log_format.md, "Runs
// of other programs". A value.
struct ForeignRun {
    std::string token; // of the same run at every import; 32 hexadecimal digits
    RunSource source = RunSource::Csv;
    std::string origin; // the file or folder that it comes from
    std::string name; // a run name
    std::int64_t createdMs = 0; // Unix time
    std::int64_t endedMs = 0;
    RunOutcome outcome = RunOutcome::Completed;
    Settings settings; // any keys
    std::vector<ForeignSeries> series; // by metric, each metric once
    std::vector<HistogramsMeasured> histograms {}; // by step, each step once
};

// Makes the points of a series those of a run: by step, and of those with the same step the last
// one. Returns how many were removed. Pure.
std::size_t putInOrder(ForeignSeries& series);

} // namespace accrue
