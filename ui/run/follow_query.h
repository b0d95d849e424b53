// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/run_comparison.h"
#include "ui/run/curve_levels.h"
#include "ui/run/rank_band.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace accrue {

struct FollowSeries {
    RunId run {};
    std::string metric; // a name of metrics()
    friend bool operator==(const FollowSeries&, const FollowSeries&) = default;
};

// The memory of a window: that of `step`, or of the last profiled step before it; or the window
// with the highest peak.
struct FollowMemory {
    RunId run {};
    std::int64_t step = std::numeric_limits<std::int64_t>::max(); // the newest
    bool highest = false;
    friend bool operator==(const FollowMemory&, const FollowMemory&) = default;
};

// What a page wants to draw.
struct FollowQuery {
    static constexpr int kWhole = 0; // buckets: every point, as SeriesCurve::levels

    std::vector<FollowSeries> series;
    Axis axis = Axis::Step;
    // About the chart's width in pixels: at most 2 points per bucket are returned
    int buckets = 600;
    double smoothing = 0; // weight of smoothing.h, applied before thinning; 0: not smoothed
    std::vector<RunId> summariesOf; // runs whose summaries come with the answer
    std::vector<FollowMemory> memoryOf = {};
    friend bool operator==(const FollowQuery&, const FollowQuery&) = default;
};

// At most 2 points per bucket, as RunLogReader::thinned returns them; of a query for whole curves
// the levels instead, except for metrics that each rank measures.
struct SeriesCurve {
    using Levels = std::shared_ptr<const CurveLevels>; // null: there are none

    std::vector<SeriesPoint> points; // empty if the run has none (yet)
    std::vector<SeriesPoint> smoothed; // of all points, then thinned; empty if smoothing is 0
    // Of a metric that each rank measures (MetricInfo::ofEachRank): the points are the means over
    // the ranks, and these are their spread and the mean of each rank over the whole run.
    std::vector<RankSpread> spread = {};
    std::vector<double> meansOfRanks = {};
    Levels levels = {};
    Levels smoothedLevels = {}; // of all points; null if smoothing is 0
};

// The whole answer to one query: every requested series, in the order of the query, thinned.
struct SeriesBatch {
    struct Series : FollowSeries, SeriesCurve { };
    struct Memory {
        RunId run {};
        std::vector<std::int64_t> steps; // as RunLogReader::meteredSteps
        std::vector<std::int64_t> shortAt; // steps that ran out of memory; they were computed again
        MemoryMeasured window; // as RunLogReader::memoryAt
        friend bool operator==(const Memory&, const Memory&) = default;
    };
    Axis axis = Axis::Step;
    std::vector<Series> series;
    // Long curves are read one after the other: false means that some have not been read yet, and
    // that another answer follows at once.
    bool whole = true;
    std::vector<RunSummaries> summaries; // in the order of the query
    std::vector<Memory> memory; // in the order of the query
    std::vector<RunMarker> markers; // of the requested runs, in the order of the log
};

using RunList = std::vector<RunRecord>; // newest first, archived ones included
using MarkerList = std::vector<RunMarker>;

} // namespace accrue
