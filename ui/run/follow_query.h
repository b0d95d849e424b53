// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/run_comparison.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace accrue {

struct FollowSeries {
    RunId run {};
    std::string metric; // a name of metrics()
    friend bool operator==(const FollowSeries&, const FollowSeries&) = default;
};

// The memory of a window: that of `step`, or the last metered before it; or that with the highest
// peak.
struct FollowMemory {
    RunId run {};
    std::int64_t step = std::numeric_limits<std::int64_t>::max(); // the newest
    bool highest = false;
    friend bool operator==(const FollowMemory&, const FollowMemory&) = default;
};

// What a page wants to draw.
struct FollowQuery {
    std::vector<FollowSeries> series;
    Axis axis = Axis::Step;
    int buckets = 600; // about the chart's width in pixels: at most 2 points a bucket come back
    double smoothing = 0; // weight of smoothing.h, applied before thinning; 0: not smoothed
    std::vector<RunId> summariesOf; // runs whose summaries come with the answer
    std::vector<FollowMemory> memoryOf = {};
    friend bool operator==(const FollowQuery&, const FollowQuery&) = default;
};

// At most 2 points a bucket, as RunLogReader::thinned.
struct SeriesCurve {
    std::vector<SeriesPoint> points; // empty where the run has none (yet)
    std::vector<SeriesPoint> smoothed; // of all points, then thinned; empty where smoothing is 0
};

// The whole answer to one query: every series asked for, in the order asked, thinned.
struct SeriesBatch {
    struct Series : FollowSeries, SeriesCurve { };
    struct Memory {
        RunId run {};
        std::vector<std::int64_t> steps; // as RunLogReader::meteredSteps
        std::vector<std::int64_t> shortAt; // steps that memory was short for; they began again
        MemoryMeasured window; // as RunLogReader::memoryAt
        friend bool operator==(const Memory&, const Memory&) = default;
    };
    Axis axis = Axis::Step;
    std::vector<Series> series;
    std::vector<RunSummaries> summaries; // in the order asked
    std::vector<Memory> memory; // in the order asked
    std::vector<RunMarker> markers; // of the runs asked for, in the order of the log
};

using RunList = std::vector<RunRecord>; // newest first, archived ones included
using MarkerList = std::vector<RunMarker>;

} // namespace accrue
