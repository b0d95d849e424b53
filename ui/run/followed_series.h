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

// Series that are being followed. A run that has ended is read once, thinned by the reader. Of a
// live run only what was added is read, and an answer costs the same however long it has grown.
// Where curves are smoothed all points are kept, so that another weight reads nothing again. Not
// thread-safe; errors are RunLogError.
class FollowedSeriesCache {
public:
    SeriesCurve curve(RunLogReader& reader, const RunRecord& run, const std::string& metric,
        const FollowQuery& query);

    using Key = std::tuple<RunId, std::string, Axis, int>; // buckets
    void keepOnly(const std::set<Key>& wanted);
    void clear();

private:
    struct Entry {
        explicit Entry(int buckets);
        void add(const SeriesPoint& point);
        void smoothAgain(double weight);

        int attempt = 0;
        bool exact = false; // `curve` was made after the run's end
        std::int64_t lastStep = -1; // read up to it
        GrowingSeries grown;
        bool keepsAll = false; // for smoothing
        std::vector<SeriesPoint> all;
        Smoother smoother;
        GrowingSeries grownSmoothed;
        SeriesCurve curve;
    };

    static void readNew(RunLogReader& reader, Entry& entry, const Key& key);
    static void answer(RunLogReader& reader, Entry& entry, const Key& key, bool live);

    std::map<Key, Entry> m_entries;
};

} // namespace accrue
