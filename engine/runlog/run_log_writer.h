// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/log_progress.h"
#include "engine/runs/run_log_error.h"
#include "engine/runs/run_record.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

class LogConnection;
class LogQueue;

inline constexpr std::size_t kLongestNote = 1024 * 1024; // bytes

// The one writer of a run log in this process: owns the only writing connection, on a thread of its
// own. Creates the file or migrates an older one (after a backup copy). Writers of several
// processes take turns by means of the lock file beside the database. Thread-safe.
class RunLogWriter {
public:
    // Blocks; `progress` is called during slow work on an older log, and is not stored. Throws
    // RunLogError: not a database, another program's database, a newer version, no permission, a
    // directory, a network file system, a link to a folder that does not exist.
    explicit RunLogWriter(const std::filesystem::path& file, const LogProgress& progress = {});
    ~RunLogWriter(); // closes
    RunLogWriter(const RunLogWriter&) = delete;
    RunLogWriter& operator=(const RunLogWriter&) = delete;

    // Writes the run's row and takes its alive lock. Blocks. Throws RunLogError.
    RunId beginRun(const ResolvedExperiment& resolved);

    // Begins a run of the queue, whose row exists (engine/queue): its first attempt, with the
    // settings `resolved`. Blocks. Throws RunLogError: it is not in the queue any more, or it has
    // been begun.
    void beginQueued(RunId run, const ResolvedExperiment& resolved);

    // Resumes a run that was interrupted, ended without being completed, or gets longer by `now`,
    // whoever wrote it: takes its alive lock, counts an attempt, and supersedes the rows after
    // `from`, which stay in the file. Afterwards every reader sees one uninterrupted run with the
    // recipe `now`; empty: the recipe it had. All or nothing. Blocks. Throws RunLogError: no such
    // run, or the reasons of whyNotResumable and checkLength.
    void resumeRun(RunId run, const ResumePoint& from,
        const std::optional<ResolvedExperiment>& now = std::nullopt);

    // The sink of a run that was begun or resumed here; lives until the writer is destroyed. Its
    // emitEvent puts the event into the bounded queue; blocks only if the log cannot be written and
    // 64 MiB wait. RunEnded releases the alive lock once it is committed. `committed`, if given, is
    // borrowed and receives each event after it was committed, on the writer's thread.
    EventSink& sink(RunId run, EventSink* committed = nullptr);

    // From now on, until the next beginRun or resumeRun, emitEvent does not wait for room, so that
    // a session that was requested to stop reaches its end, however long the log cannot be written.
    // Must not block.
    void admitAll();

    // Blocks until everything emitted before is committed. False: the log cannot be written (see
    // problem()).
    bool flush();
    // Blocks until everything is committed, or until the log could not be written for 5 s; then
    // waiting events are discarded, and the result is false. Only problem() may be called
    // afterwards.
    bool close();
    Message problem() const; // while the log cannot be written; otherwise empty

    // Runs `work` in one transaction on the writer's thread, for 5 s at most until it gets the
    // turn. Blocks. Throws RunLogError, and whatever `work` throws; nothing of it is then in the
    // file.
    void inTransaction(const std::function<void(LogConnection&)>& work);

    // Throws RunLogError if `name` is not a run name (isRunName).
    void rename(RunId run, const std::string& name);
    // Text of UTF-8, of several lines or none. Throws RunLogError if it is not, or is longer than
    // kLongestNote.
    void setNote(RunId run, const std::string& note);
    // Of one run, whose tags another process may change at the same time (run_tags.h). Throws
    // RunLogError if one of `added` cannot be a tag. Returns the resulting tags.
    std::vector<std::string> changeTags(
        RunId run, const std::vector<std::string>& added, const std::vector<std::string>& removed);
    void setArchived(RunId run, bool archived);
    // Deletes those of `runs` that are archived (or any) and not alive, with all their rows and
    // checkpoint folders, and compacts the file; if that fails, the runs stay deleted. With
    // Archived, a run that was restored from the archive in the meantime is spared.
    PrunedRuns prune(const std::vector<RunId>& runs, Prunable which = Prunable::Archived);

    // Where a run that this writer has begun or resumed stores its model: a folder of its own in
    // <file stem>.checkpoints, beside the file.
    std::filesystem::path checkpointFolder(RunId run) const;

private:
    void remember(RunId run, const std::string& token);
    // Runs `work` on one run, which returns how many rows it changed; 0: there is no such run.
    void change(RunId run, const std::function<int(SQLite::Database&)>& work);
    Message compact(); // why the file could not release its free pages; empty: it did

    const std::filesystem::path m_file;
    std::unique_ptr<LogQueue> m_queue;
    mutable std::mutex m_mutex;
    std::map<RunId, std::string> m_tokens; // of the runs begun or resumed here; guarded by m_mutex
};

} // namespace accrue
