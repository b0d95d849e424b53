// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_merge.h"

#include "engine/base/error.h"
#include "engine/logfile/lock_file.h"
#include "engine/logfile/migrations.h"
#include "engine/logfile/query.h"
#include "engine/logfile/queue_rows.h"
#include "engine/logfile/row_copy.h"
#include "engine/logfile/sql_guard.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/prune.h"
#include "engine/runlog/run_log_writer.h"
#include "engine/runs/run_log_error.h"
#include "engine/runs/run_tags.h"

#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

namespace fs = std::filesystem;

// How far a run is in a log, and the user's words about it.
struct Standing {
    RunId id {};
    std::int64_t attempt = 0;
    std::int64_t step = 0;
    std::int64_t microBatches = 0;
    std::int64_t endedMs = 0; // 0: not ended
    std::string name;
    std::string note;
    std::string tags;
    bool archived = false;
    bool queued = false;
    bool begun = true;
};

std::optional<Standing> standingOf(SQLite::Database& database, const std::string& token)
{
    Query row(database,
        "SELECT id, attempt, step, micro_batches, coalesce(ended_ms, 0), name, note, tags,"
        " archived, queue.run_id IS NOT NULL, coalesce(queue.begun, 1)"
        " FROM runs LEFT JOIN queue ON queue.run_id = runs.id WHERE token = ?",
        token);
    if (!row.next())
        return std::nullopt;
    Standing run;
    row.read(run.id, run.attempt, run.step, run.microBatches, run.endedMs, run.name, run.note,
        run.tags, run.archived, run.queued, run.begun);
    return run;
}

bool isFurther(const Standing& other, const Standing& run)
{
    const auto place = [](const Standing& of) {
        return std::make_tuple(of.begun, of.attempt, of.step, of.microBatches, of.endedMs);
    };
    return place(other) > place(run);
}

// Of each attempt, what no other one has in common with it.
std::map<std::int64_t, std::string> attemptsOf(SQLite::Database& database, RunId run)
{
    std::map<std::int64_t, std::string> attempts;
    for (Query rows(database,
             "SELECT attempt, started_ms || ' ' || host || ' ' || pid FROM attempts"
             " WHERE run_id = ?",
             run);
         rows.next();) {
        const std::int64_t attempt = rows.integer();
        attempts[attempt] = rows.text();
    }
    return attempts;
}

// Whether both logs have an attempt that the other lacks in its place.
bool haveParted(SQLite::Database& one, RunId run, SQLite::Database& other, RunId same)
{
    const std::map<std::int64_t, std::string> here = attemptsOf(one, run);
    for (const auto& [attempt, what] : attemptsOf(other, same))
        if (const auto found = here.find(attempt); found != here.end() && found->second != what)
            return true;
    return false;
}

std::string noteOfBoth(const std::string& note, const std::string& other)
{
    if (note.find(other) != std::string::npos)
        return note;
    const std::string both = note.empty() ? other : note + "\n" + other;
    return both.size() <= kLongestNote ? both : note;
}

class Merge {
public:
    Merge(RunImport& target, OtherLog& other, const MergeOptions& options)
        : m_target(target)
        , m_other(other)
        , m_options(options)
        , m_otherLocks(other.file(), LockFile::Purpose::Reading)
    {
    }

    LogMerge all(const LogProgress& progress)
    {
        const std::set<RunId> damaged = damagedRuns(progress);
        const std::vector<std::pair<RunId, std::string>> runs = runsToImport(damaged);
        for (std::size_t i = 0; i < runs.size() && !m_options.stop.stop_requested(); ++i) {
            if (progress)
                progress(static_cast<double>(i) / static_cast<double>(runs.size()),
                    Message("runlog.importing", { { "file", m_other.file().string() } }));
            one(runs[i].first, runs[i].second);
        }
        return std::move(m_done);
    }

private:
    SQLite::Database& from() { return m_other.database(); }

    std::set<RunId> damagedRuns(const LogProgress& progress)
    {
        m_done.leftOut = m_other.damage(progress, m_options.stop);
        if (!m_done.leftOut.empty() && !m_options.damaged)
            throw RunLogError(Message("runlog.import_of_damage",
                                  { { "file", m_other.file().string() },
                                      { "damage", describe(m_done.leftOut) } }),
                RunLogError::Kind::Damaged);
        std::set<RunId> runs;
        for (const LogDamage& damage : m_done.leftOut)
            if (damage.run)
                runs.insert(*damage.run);
        return runs;
    }

    std::vector<std::pair<RunId, std::string>> runsToImport(const std::set<RunId>& damaged)
    {
        std::vector<std::pair<RunId, std::string>> runs;
        std::int64_t waiting = 0;
        for (Query rows(from(),
                 "SELECT id, token, coalesce(begun, 1) FROM runs"
                 " LEFT JOIN queue ON run_id = id ORDER BY id");
             rows.next();) {
            RunId run {};
            std::string token;
            bool begun = false;
            rows.read(run, token, begun);
            if (!begun)
                ++waiting;
            else if (!damaged.contains(run))
                runs.emplace_back(run, std::move(token));
        }
        if (waiting > 0)
            m_done.notes.push_back(Message("runlog.queued_not_imported",
                { { "count", waiting }, { "file", m_other.file().string() } }));
        return runs;
    }

    void one(RunId run, const std::string& token)
    {
        const std::size_t notes = m_done.notes.size();
        MergedRun merged;
        m_target.inTransaction([&](LogConnection& connection) {
            m_done.notes.resize(notes); // of an attempt that did not get the turn
            merged = write(connection, run, token);
        });
        if (m_options.checkpoints)
            copyCheckpoints(run, token, merged);
        m_done.runs.push_back(std::move(merged));
    }

    MergedRun write(LogConnection& connection, RunId run, const std::string& token)
    {
        SQLite::Database& to = connection.database();
        const Standing other = standingOf(from(), token).value();
        if (other.endedMs == 0 && m_otherLocks.isAlive(run))
            m_done.notes.push_back(
                Message("runlog.imported_run_goes_on", { { "run", other.name } }));
        const std::optional<Standing> there = standingOf(to, token);
        if (!there)
            return { copy(connection, run, std::nullopt), other.name, ImportResult::Added };
        const bool replaced = mayReplace(connection, other, *there);
        if (replaced)
            copy(connection, run, there->id);
        const bool worded = bringTogether(connection, other, *there, replaced);
        return { there->id, there->name,
            replaced || worded ? ImportResult::Updated : ImportResult::Unchanged };
    }

    bool mayReplace(LogConnection& connection, const Standing& other, const Standing& there)
    {
        const std::int64_t run = numberOf(there.id);
        const auto note = [&](Message why) {
            m_done.notes.push_back(std::move(why));
            return false;
        };
        if (!isFurther(other, there))
            return false;
        if (connection.isMine(there.id) || connection.isAliveElsewhere(there.id))
            return note(Message("runlog.imported_run_is_trained", { { "run", run } }));
        if (haveParted(connection.database(), there.id, from(), other.id))
            return note(Message("runlog.imported_run_has_parted", { { "run", run } }));
        if (there.queued && other.endedMs == 0)
            return note(Message("runlog.imported_run_waits", { { "run", run } }));
        return true;
    }

    // The row first, in the place of the one that is there, which takes all its other rows along.
    RunId copy(LogConnection& connection, RunId run, std::optional<RunId> as)
    {
        SQLite::Database& to = connection.database();
        if (as)
            execute(to, "DELETE FROM runs WHERE id = ?", *as);
        const RunId id = copyRunRow(from(), to, run, as);
        for (const CheckedTable table : checkedTables())
            if (table != CheckedTable::Runs && table != CheckedTable::Queue)
                copyRows(from(), to, table, run, id);
        execute(to,
            "UPDATE runs SET origin = coalesce(nullif(origin, ''), ?), paused = 0, sweep_id = ?"
            " WHERE id = ?",
            m_other.file().string(), sweepIn(to, run), id);
        connection.seals().touchAll(id, currentVersion());
        return id;
    }

    // The number that the run's sweep has there; it is added if it is not there.
    std::optional<RunId> sweepIn(SQLite::Database& to, RunId run)
    {
        Query row(from(),
            "SELECT sweeps.token, sweeps.name, sweeps.created_ms, definition FROM runs"
            " JOIN sweeps ON sweeps.id = sweep_id WHERE runs.id = ?",
            run);
        if (!row.next())
            return std::nullopt;
        const std::string token = row.text();
        const std::string name = row.text();
        const std::int64_t createdMs = row.integer();
        if (const auto known = firstOf<RunId>(to, "SELECT id FROM sweeps WHERE token = ?", token))
            return known;
        return RunId { insertSweep(to, token, name, createdMs, row.text()) };
    }

    // True: something was changed.
    bool bringTogether(
        LogConnection& connection, const Standing& other, const Standing& there, bool replaced)
    {
        const std::string tags =
            textOfTags(changedTags(tagsIn(there.tags), tagsIn(other.tags), {}));
        const std::string note = noteOfBoth(there.note, other.note);
        if (!replaced && tags == there.tags && note == there.note)
            return false;
        execute(connection.database(),
            "UPDATE runs SET name = ?, note = ?, tags = ?, archived = ? WHERE id = ?", there.name,
            note, tags, there.archived, there.id);
        connection.seals().touch(there.id, CheckedTable::Runs);
        return true;
    }

    // After the run itself, because copying may take minutes, during which others write.
    void copyCheckpoints(RunId run, const std::string& token, const MergedRun& merged)
    {
        fs::path target;
        m_target.inTransaction([&](LogConnection& connection) {
            target = checkpointFolderOf(connection.file(), merged.run, token);
        });
        const fs::path source = checkpointFolderOf(m_other.file(), run, token);
        std::error_code error;
        if (!fs::is_directory(source, error)
            || (merged.result == ImportResult::Unchanged && fs::exists(target, error)))
            return;
        fs::create_directories(target.parent_path(), error);
        Unfinished copy(target);
        fs::copy(source, copy.path(), fs::copy_options::recursive, error);
        if (!error)
            fs::remove_all(target, error);
        if (error || !copy.place()) {
            m_done.failures.push_back(Message("runlog.checkpoints_not_copied",
                { { "run", numberOf(merged.run) }, { "folder", source.string() },
                    { "reason", error ? error.message() : "" } }));
            return;
        }
        nameCheckpoint(merged.run, target);
    }

    // The row names the folder of the last checkpoint, which has moved.
    void nameCheckpoint(RunId run, const fs::path& target)
    {
        m_target.inTransaction([&](LogConnection& connection) {
            SQLite::Database& to = connection.database();
            const auto named =
                firstOf<std::string>(to, "SELECT checkpoint FROM runs WHERE id = ?", run);
            const fs::path moved = target / fs::path(named.value_or("")).filename();
            std::error_code ignored;
            if (named.value_or("").empty() || !fs::exists(moved, ignored))
                return;
            execute(to, "UPDATE runs SET checkpoint = ? WHERE id = ?", moved.string(), run);
            connection.seals().touch(run, CheckedTable::Runs);
        });
    }

    RunImport& m_target;
    OtherLog& m_other;
    const MergeOptions m_options;
    const LockFile m_otherLocks; // whether a run is being trained there, if that is on this machine
    LogMerge m_done;
};

} // namespace

std::vector<Message> problemsOf(const LogMerge& merge)
{
    std::vector<Message> problems;
    for (const LogDamage& damage : merge.leftOut)
        problems.push_back(
            Message("runlog.damaged_not_imported", { { "damage", describe(damage) } }));
    for (const auto* more : { &merge.notes, &merge.failures })
        problems.insert(problems.end(), more->begin(), more->end());
    return problems;
}

void requireAnotherLog(const fs::path& other, const fs::path& target)
{
    std::error_code notThere;
    if (fs::equivalent(other, target, notThere))
        throw InputError(Message("runlog.import_of_itself", { { "file", other.string() } }));
}

LogMerge mergeLog(
    RunImport& target, OtherLog& other, const MergeOptions& options, const LogProgress& progress)
{
    return Merge(target, other, options).all(progress);
}

} // namespace accrue
