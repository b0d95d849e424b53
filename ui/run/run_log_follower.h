// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <filesystem>
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

// The whole answer to one query: every series asked for, in the order asked, thinned.
struct SeriesBatch {
    struct Series {
        RunId run {};
        std::string metric;
        std::vector<SeriesPoint> points; // empty where the run has none (yet)
        std::vector<SeriesPoint> smoothed; // empty where smoothing is 0
    };
    struct Summaries {
        RunId run {};
        std::vector<MetricSummary> metrics;
        CategoryBytes
            highestPeak {}; // of training, what it was for; all 0 where memory was not metered
    };
    struct Memory {
        RunId run {};
        std::vector<std::int64_t> steps; // as RunLogReader::meteredSteps
        std::vector<std::int64_t> shortAt; // steps that memory was short for; they began again
        MemoryMeasured window; // as RunLogReader::memoryAt
        friend bool operator==(const Memory&, const Memory&) = default;
    };
    Axis axis = Axis::Step;
    std::vector<Series> series;
    std::vector<Summaries> summaries; // in the order asked
    std::vector<Memory> memory; // in the order asked
    std::vector<RunMarker> markers; // of the runs asked for, in the order of the log
};

using RunList = std::vector<RunRecord>; // newest first, archived ones included
using MarkerList = std::vector<RunMarker>;

struct LogNews;

// Follows a run log, whoever writes it: owns a thread with a reader, wakes about five times a
// second, reads only what was added, and tells the GUI thread in whole values. A file that does not
// exist yet is an empty log that is looked for; one that was replaced is opened anew. An idle log
// costs microseconds a wake. All methods belong to the GUI thread and must not block, except the
// destructor, which joins the thread.
class RunLogFollower : public QObject {
    Q_OBJECT
public:
    using QueryId = int;

    explicit RunLogFollower(QObject* parent = nullptr);
    ~RunLogFollower() override;

    void setFile(const std::filesystem::path& file); // queries stay
    std::filesystem::path file() const;
    // Reads at once instead of at the next wake: after this process wrote.
    void refresh();

    // A query is answered soon by seriesChanged and again whenever its series grow; answers to an
    // earlier form of a query are dropped.
    QueryId addQuery(FollowQuery query = {});
    void setQuery(QueryId id, FollowQuery query);
    void removeQuery(QueryId id);

    // The last list told; null before the first.
    std::shared_ptr<const RunList> runs() const;

Q_SIGNALS:
    void fileChanged(); // by setFile, before anything of the new file is told
    void runsChanged(std::shared_ptr<const accrue::RunList> runs);
    void seriesChanged(int query, std::shared_ptr<const accrue::SeriesBatch> batch);
    void markersChanged(
        std::shared_ptr<const accrue::MarkerList> latest); // of all runs, newest first, at most 200
    void failed(const QString& problem); // a sentence; told once, it keeps trying
    void recovered();

private:
    class Worker;
    friend class Worker;
    struct Asked;
    void receive(const LogNews& news, std::uint64_t fileVersion);

    std::unique_ptr<Asked> m_asked; // what the GUI thread last asked
    std::shared_ptr<const RunList> m_runs;
    std::unique_ptr<Worker> m_worker; // last: joined first
};

} // namespace accrue
