// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/log_progress.h"
#include "engine/runs/pruned_runs.h"
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

class LogQueue;
enum class Prunable;

inline constexpr std::size_t kLongestNote = 1024 * 1024; // bytes

// The one writer of a run log in this process: owns the only writing connection, on a thread of its
// own. Creates the file and migrates an older one (after a backup copy). Writers of several
// processes take turns behind the lock file beside the database. Thread-safe.
class RunLogWriter {
public:
    // Blocks; `progress` is told of what takes long with an older log, and not kept. Throws
    // RunLogError: not a database, another program's database, a newer version, no permission, a
    // directory, a network file system, a link to a folder that is not there.
    explicit RunLogWriter(const std::filesystem::path& file, const LogProgress& progress = {});
    ~RunLogWriter(); // closes
    RunLogWriter(const RunLogWriter&) = delete;
    RunLogWriter& operator=(const RunLogWriter&) = delete;

    // Writes the run's row and takes its alive lock. Blocks. Throws RunLogError.
    RunId beginRun(const ResolvedExperiment& resolved);

    // Takes up a run that was interrupted or ended without being completed, or that `now` makes
    // longer, whoever wrote it: takes its alive lock, counts an attempt, and supersedes the rows
    // after `from`, which stay in the file. From then on everything that is read of it goes on as
    // if it had never stopped, and its recipe is `now`; empty: the one it had. All or nothing.
    // Blocks. Throws RunLogError: no such run, or what whyNotResumable and checkLength say.
    void resumeRun(RunId run, const ResumePoint& from,
        const std::optional<ResolvedExperiment>& now = std::nullopt);

    // The sink of a run that was begun or resumed here; lives until the writer dies. Its emitEvent
    // puts the event into the bounded queue; blocks only when the log cannot be written and 64 MiB
    // wait. RunEnded releases the alive lock once it is committed. `committed`, if given, is
    // borrowed and receives each event after it was committed, on the writer's thread.
    EventSink& sink(RunId run, EventSink* committed = nullptr);

    // From now on, until the next beginRun or resumeRun, emitEvent waits for no room: so that a
    // session that was asked to stop gets there, however long the log cannot be written. Must not
    // block.
    void admitAll();

    // Blocks until all that was emitted before is committed. False: the log cannot be written (see
    // problem()).
    bool flush();
    // Blocks until everything is committed, or until the log could not be written for 5 s; then
    // what waits is dropped, and the answer is false. Nothing but problem() may be asked
    // afterwards.
    bool close();
    Message problem() const; // while the log cannot be written; empty when all is well

    // Throws RunLogError where it cannot be a name (isRunName).
    void rename(RunId run, const std::string& name);
    // Text of UTF-8, of several lines or none. Throws RunLogError where it is not, or is longer
    // than kLongestNote.
    void setNote(RunId run, const std::string& note);
    // Of one run, whose tags another process may change at the same time (run_tags.h). Throws
    // RunLogError where one of `added` cannot be a tag. Returns the tags that it has now.
    std::vector<std::string> changeTags(
        RunId run, const std::vector<std::string>& added, const std::vector<std::string>& removed);
    void setArchived(RunId run, bool archived);
    // Deletes those of `runs` that are archived and not alive, with all their rows and checkpoint
    // folders, and compacts the file, which may fail without taking the rest back. One that was
    // brought back meanwhile stays.
    PrunedRuns prune(const std::vector<RunId>& runs);
    // Likewise those of `runs` that are not alive, archived or not.
    PrunedRuns remove(const std::vector<RunId>& runs);

    // Where a run that this writer has begun or resumed keeps its model: a folder of its own in
    // <file stem>.checkpoints, beside the file.
    std::filesystem::path checkpointFolder(RunId run) const;

private:
    void remember(RunId run, const std::string& token);
    // Runs `work` on one run, which returns how many rows it changed; 0: there is no such run.
    void change(RunId run, const std::function<int(SQLite::Database&)>& work);
    PrunedRuns remove(const std::vector<RunId>& runs, Prunable which);
    Message compact(); // why the file could not give its free pages back; empty: it did

    const std::filesystem::path m_file;
    std::unique_ptr<LogQueue> m_queue;
    mutable std::mutex m_mutex;
    std::map<RunId, std::string> m_tokens; // of the runs begun or resumed here; guarded by m_mutex
};

} // namespace accrue
