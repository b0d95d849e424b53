// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/log_file.h"
#include "engine/runlog/run_log_reader.h"
#include "ui/run/follow_query.h"
#include "ui/run/followed_series.h"
#include "ui/run/pace.h"

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
    std::uint64_t version = 0; // rises with every change, so that late answers are known
};

// What one look at the log found; members are null or empty where nothing changed.
struct LogNews {
    struct Answer {
        int query = 0;
        std::uint64_t version = 0;
        std::shared_ptr<const SeriesBatch> batch;
    };
    std::shared_ptr<const RunList> runs;
    std::shared_ptr<const MarkerList> latest;
    std::vector<Answer> answers;
    std::string problem;
    bool recovered = false;

    bool isEmpty() const
    {
        return !runs && !latest && answers.empty() && problem.empty() && !recovered;
    }
};

// Reading the list of a large log costs milliseconds, and so do answers of many long runs: they may
// take one of so many parts of the time.
constexpr int kListShare = 30;
constexpr int kAnswerShare = 100;

// The follower's work without its thread: opens the file when it appears, opens it anew when it was
// replaced, and reads what is new. Not thread-safe. Everything that fails becomes LogNews::problem.
class LogWatch {
public:
    using Clock = Pace::Clock;

    // `now` paces what is read; a test may have a clock of its own.
    explicit LogWatch(std::function<Clock::time_point()> now = Clock::now);
    void setFile(const std::filesystem::path& file);
    void setQueries(const std::map<int, AskedQuery>& queries);
    // Blocks for as long as reading takes. `refresh` reads the list of runs also when it was read
    // a moment ago, and reports the empty list of a file that is not there once more.
    LogNews look(bool refresh);

private:
    struct Answered {
        std::uint64_t version = 0; // that the query was last answered in
        bool due = false; // a run of it moved since
        Pace pace { kAnswerShare };
    };

    bool open(LogNews& news, bool refresh); // false: there is nothing to read
    void close();
    void tellProblem(LogNews& news, const std::string& problem);
    void read(LogNews& news, bool refresh);
    void readRuns(LogNews& news);
    void readLiveRuns(LogNews& news);
    void answer(LogNews& news);
    SeriesBatch batchOf(const FollowQuery& query);
    const RunRecord* recordOf(RunId run) const; // null: not in the list that was read last
    bool concerns(const FollowQuery& query) const; // a run of it moved since the last look

    std::function<Clock::time_point()> m_now;
    std::filesystem::path m_file;
    std::optional<FileIdentity> m_identity;
    std::unique_ptr<RunLogReader> m_reader;
    std::map<int, AskedQuery> m_queries;
    std::map<int, Answered> m_answered;
    FollowedSeriesCache m_series;
    std::shared_ptr<RunList> m_runs; // never changed once told
    std::set<RunId> m_moved; // runs that grew since the last look
    bool m_runsDue = false; // something changed and the list has not been read since
    Pace m_listPace { kListShare };
    std::string m_problem; // last told
    bool m_toldEmpty = false;
};

} // namespace accrue
