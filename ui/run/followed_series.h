// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_reader.h"
#include "ui/run/follow_query.h"
#include "ui/run/growing_series.h"
#include "ui/run/smoothing.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace accrue {

// The series that are followed. A run that has ended is read once, thinned by the reader. Of a live
// run only new points are read, and an answer costs the same however long the run is. If curves are
// smoothed, all points are stored, so that another weight requires no reading. Not thread-safe;
// errors are RunLogError.
class FollowedSeriesCache {
public:
    SeriesCurve curve(RunLogReader& reader, const RunRecord& run, const std::string& metric,
        const FollowQuery& query);

    using Key = std::tuple<RunId, std::string, Axis, int>; // the int is the number of buckets
    // Whether the curve was read for that query before, so that it costs little now.
    bool has(RunId run, const std::string& metric, const FollowQuery& query) const;
    void keepOnly(const std::set<Key>& wanted);
    void clear();

private:
    struct Entry {
        Entry(int buckets, const std::string& metric);
        void add(const SeriesPoint& point);
        void smoothAgain(double weight);
        void publish(); // the levels, as an answer

        int attempt = 0;
        bool exact = false; // `curve` was computed after the run's end
        bool ofEachRank = false; // all of these measure the metric
        bool isWhole = false; // has levels
        std::int64_t lastStep = -1; // the last step that was read
        GrowingSeries grown;
        bool keepsAll = false; // stores all points, for smoothing
        std::vector<SeriesPoint> all;
        Smoother smoother;
        GrowingSeries grownSmoothed;
        CurveLevels levels; // of a whole curve, instead of the above
        CurveLevels smoothedLevels;
        RankBand band; // if ofEachRank
        SeriesCurve curve;
    };

    static void readNew(RunLogReader& reader, Entry& entry, const Key& key);
    static void readRanks(RunLogReader& reader, Entry& entry, const Key& key);
    static void answer(RunLogReader& reader, Entry& entry, const Key& key, bool live);

    std::map<Key, Entry> m_entries;
};

} // namespace accrue
