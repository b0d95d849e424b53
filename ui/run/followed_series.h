// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_reader.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace accrue {

// Series that are being followed. A run that has ended is read once, thinned by the reader; of a
// live run all points are kept here and only what was added is read. Not thread-safe; errors are
// RunLogError.
class FollowedSeriesCache {
public:
    struct Wanted {
        std::string metric;
        Axis axis = Axis::Step;
        int buckets = 600;
        double smoothing = 0;
    };
    struct Curve {
        std::vector<SeriesPoint> points; // at most 2 a bucket, as RunLogReader::thinned
        std::vector<SeriesPoint> smoothed; // of all points, then thinned; empty without smoothing
    };
    Curve curve(RunLogReader& reader, const RunRecord& run, const Wanted& wanted);

    using Key = std::tuple<RunId, std::string, Axis>;
    void keepOnly(const std::set<Key>& wanted);
    void clear();

private:
    struct Entry {
        int attempt = 0;
        bool whole = false; // `all` holds every point up to lastStep; otherwise only `thinned`
        std::vector<SeriesPoint> all;
        std::int64_t lastStep = 0;
        bool ended = false; // the run had ended when it was last read
        int buckets = 0; // of `thinned`
        std::vector<SeriesPoint> thinned;
    };

    static void readNew(RunLogReader& reader, Entry& entry, const Key& key);

    std::map<Key, Entry> m_entries;
};

} // namespace accrue
