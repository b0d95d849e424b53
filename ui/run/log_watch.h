// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/log_file.h"
#include "engine/runlog/run_log_reader.h"
#include "ui/run/follow_query.h"
#include "ui/run/followed_series.h"
#include "ui/run/pace.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace accrue {

struct AskedQuery {
    FollowQuery query;
    std::uint64_t version = 0; // rises with every change, so that late answers are recognised
};

// What one look at the log found; members are null or empty if nothing changed.
struct LogNews {
    struct Answer {
        int query = 0;
        std::uint64_t version = 0;
        std::shared_ptr<const SeriesBatch> batch;
    };
    std::shared_ptr<const RunList> runs;
    bool isQueueHeld = false; // as a whole; of those runs
    std::shared_ptr<const MarkerList> latest;
    std::vector<Answer> answers;
    bool more = false; // an answer was not whole: look again at once
    std::string problem;
    bool recovered = false;

    bool isEmpty() const
    {
        return !runs && !latest && answers.empty() && problem.empty() && !recovered;
    }
};

// Reading the list of a large log costs milliseconds, and so do answers of many long runs: each may
// take one part in so many of the time.
constexpr int kListShare = 30;
constexpr int kAnswerShare = 100;
// Curves that are read for the first time: after that time the answer is sent without the rest.
constexpr std::chrono::milliseconds kFirstReading { 100 };

// The follower's work without its thread: opens the file when it appears, opens it again when it
// was replaced, and reads what is new. Not thread-safe. Every failure becomes LogNews::problem.
class LogWatch {
public:
    using Clock = Pace::Clock;

    // `now` paces the reading; a test may pass its own clock.
    explicit LogWatch(std::function<Clock::time_point()> now = Clock::now);
    void setFile(const std::filesystem::path& file);
    void setQueries(const std::map<int, AskedQuery>& queries);
    // Blocks while it reads. `refresh` also reads the list of runs if it was read a moment ago, and
    // reports the empty list of a missing file once more.
    LogNews look(bool refresh);

private:
    struct Answered {
        std::uint64_t version = 0; // of the query, when it was answered last
        bool due = false; // one of its runs has moved since
        Pace pace { kAnswerShare };
    };

    bool open(LogNews& news, bool refresh); // false: there is nothing to read
    void close();
    void reportProblem(LogNews& news, const std::string& problem);
    void read(LogNews& news, bool refresh);
    void readRuns(LogNews& news);
    void readLiveRuns(LogNews& news);
    void answer(LogNews& news);
    SeriesBatch batchOf(const FollowQuery& query);
    void readSeries(const FollowQuery& query, SeriesBatch& batch);
    const RunRecord* recordOf(RunId run) const; // null: not in the list that was read last
    bool concerns(const FollowQuery& query) const; // one of its runs has moved since the last look

    std::function<Clock::time_point()> m_now;
    std::filesystem::path m_file;
    std::optional<FileIdentity> m_identity;
    std::unique_ptr<RunLogReader> m_reader;
    std::map<int, AskedQuery> m_queries;
    std::map<int, Answered> m_answered;
    FollowedSeriesCache m_series;
    std::shared_ptr<RunList> m_runs; // never changed after it was handed out
    bool m_isQueueHeld = false; // when that list was read
    std::set<RunId> m_moved; // runs that grew since the last look
    bool m_runsDue = false; // something changed, and the list has not been read since
    Pace m_listPace { kListShare };
    std::string m_problem; // reported last
    bool m_toldEmpty = false;
};

} // namespace accrue
