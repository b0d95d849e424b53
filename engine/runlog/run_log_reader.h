// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/lock_file.h"
#include "engine/logfile/log_damage.h"
#include "engine/logfile/log_file.h"
#include "engine/logfile/log_snapshot.h"
#include "engine/runlog/run_rows.h"
#include "engine/runs/run_log_error.h"
#include "engine/runs/run_record.h"
#include "engine/runs/sweep_record.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// What RunLogWriter::prune can delete.
struct PrunableRuns {
    std::vector<RunRecord> runs; // archived and not training; newest first
    std::int64_t checkpointBytes = 0; // size of their checkpoints on the disk
};

// A read-only view of a run log; never checkpoints, never writes. Works on a read-only file and in
// a read-only folder (on a copy if there is a -wal). Not thread-safe: one reader per thread. All
// methods block and throw RunLogError.
class RunLogReader {
public:
    explicit RunLogReader(const std::filesystem::path& file);

    enum class Archived { Hide, Show };
    std::vector<RunRecord> runs(
        Archived archived = Archived::Hide); // newest first; no series is read
    RunRecord run(RunId id);
    QueueState queueState();
    struct Named {
        RunId id {};
        std::string name;
    };
    // Of the newest runs that are archived, or of those that are not; fast, to complete a word.
    std::vector<Named> names(bool archived, int limit);
    PrunableRuns prunable(); // also examines the checkpoints' folders
    // "12", "#12" or a name that only one run has; an ambiguous one is an error that lists the
    // candidates.
    RunId resolve(std::string_view idOrName);

    // True if anything was committed, or a run has died, since the last call (true on the first).
    // Cheap: microseconds.
    bool changed();

    // Series, rows and summaries of a resumed run are those of an uninterrupted one: without rows
    // that a later attempt superseded.

    // At full resolution, in step order. `rank`: of a metric that each of several ranks measures
    // ("wait_ms").
    std::vector<SeriesPoint> series(
        RunId id, std::string_view metric, Axis axis, std::int64_t rank = 0);
    // What all ranks measured after `afterStep`, place by place; as seriesAfter.
    std::vector<RankValues> valuesOfRanks(
        RunId id, std::string_view metric, Axis axis, std::int64_t afterStep);
    // Only points after `afterStep`, for following a live run. When its attempt changes, points
    // that were read before may be superseded, and must be read again.
    std::vector<SeriesPoint> seriesAfter(
        RunId id, std::string_view metric, Axis axis, std::int64_t afterStep);
    // For `buckets` columns of pixels, at most 2 finite points per bucket, the lowest and the
    // highest in their order, and the first non-finite one. First and last point are always
    // included.
    std::vector<SeriesPoint> thinned(RunId id, std::string_view metric, Axis axis, int buckets);

    std::vector<MetricSummary> summaries(RunId id);
    // Including superseded ones, which are marked as such.
    std::vector<RunMarker> markers(RunId id);
    std::vector<RunMarker> latestMarkers(int limit); // of all runs, newest first
    std::vector<RunAttempt> attempts(RunId id); // in their order; none in a file of format 1

    // Of memory.metering; nothing if it was off, and in a file older than format 4. A window whose
    // memory equals that of the previous one has no rows of its own.
    // The steps whose windows have rows, in their order.
    std::vector<std::int64_t> meteredSteps(RunId id);
    // The last window metered at or before `step`, with its owners, followed by the last evaluation
    // metered before the next window that has rows; no phases if there is none.
    MemoryMeasured memoryAt(RunId id, std::int64_t step);
    // The step of the first window with the highest peak, without evaluations; 0: there is none.
    std::int64_t highestWindow(RunId id);
    // The same including evaluations, for which it is the step after which one was.
    std::int64_t highestStep(RunId id);
    // All rows in their order, each window and each evaluation, without their owners.
    // `whole` as in rows.
    std::vector<MemoryMeasured> memory(RunId id, const std::vector<RowRange>* whole = nullptr);

    // Where an existing run stores its model, if it has saved one; as
    // RunLogWriter::checkpointFolder.
    std::filesystem::path checkpointFolder(RunId id);

    const std::filesystem::path& file() const { return m_file; }

    // Runs `work` on one snapshot of the log, whatever is committed meanwhile. Must not be nested,
    // and must be short: a writer cannot empty the -wal during it.
    void inOneState(const std::function<void()>& work);

    // All values of a metric at full resolution with every axis, in step order and in order of the
    // ranks that measured them. `whole`: only those of these attempts and steps; null: all.
    std::vector<SeriesRow> rows(
        RunId id, std::string_view metric, const std::vector<RowRange>* whole = nullptr);

    // Compared with the checksums; a log of a format before 6 has none, so nothing in it counts as
    // damaged. In the rows of `runs`, of the whole log:
    std::vector<LogDamage> damageInRuns();
    // In another table of a run:
    DamageFinder::Verdict damageIn(RunId id, CheckedTable table);

private:
    // What can be observed from outside of a file for which PRAGMA data_version is no help.
    struct Traces {
        std::optional<FileIdentity> identity;
        std::filesystem::file_time_type fileTime;
        std::filesystem::file_time_type walTime;
        friend bool operator==(const Traces&, const Traces&) = default;
    };

    // Every query goes through this: SQLite's errors become sentences.
    template <typename Question, typename... Values>
    auto ask(Question question, Values&&... values);
    void open();
    Traces traces() const;
    bool fileChanged();
    void renewLocks();
    void watchTheLiving();
    void findState(StoredRun& run);
    std::vector<RunRecord> records(std::optional<RunId> only);

    std::filesystem::path m_file;
    std::unique_ptr<LockFile> m_locks;
    std::unique_ptr<LogSnapshot> m_snapshot;
    ExperimentCache m_experiments;
    Traces m_traces;
    std::optional<std::int64_t> m_seenVersion; // empty: changed() was not called since opening
    std::vector<RunId> m_living; // at the last check
};

// Why an open log is not at its place any more, and what to do. `isWritten`: a run is writing to
// it; a writer puts back a log that was deleted, but none that was moved.
Message vanishedLog(const std::filesystem::path& file, bool isWritten);

// Lowest and highest of each of `buckets` equal spans of x, and its first non-finite point, in
// their order; first and last are included. Points must be in order of x. O(n). Pure.
std::vector<SeriesPoint> thin(const std::vector<SeriesPoint>& points, int buckets);

} // namespace accrue
