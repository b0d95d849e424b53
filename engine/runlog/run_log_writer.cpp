// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_writer.h"

#include "engine/base/shown_text.h"
#include "engine/experiment/run_name.h"
#include "engine/logfile/log_damage.h"
#include "engine/logfile/log_file.h"
#include "engine/logfile/query.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/log_queue.h"
#include "engine/runlog/prune.h"
#include "engine/runlog/run_log_resume.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/this_machine.h"
#include "engine/runs/run_tags.h"

#include <algorithm>

#include <SQLiteCpp/Database.h>

namespace accrue {

using Durability = LogConnection::Durability;

namespace {

void requireNote(const std::string& note)
{
    if (note.size() > kLongestNote)
        throw RunLogError(
            Message("runlog.long_note", { { "most", kLongestNote }, { "bytes", note.size() } }));
    // SQLite's functions end a text at a NUL.
    if (!isUtf8(note) || note.find('\0') != std::string::npos)
        throw RunLogError(Message("runlog.note_is_no_text"));
}

// Another program may have removed it from the queue, or begun it.
void requireWaiting(LogConnection& connection, RunId run)
{
    const auto begun =
        firstOf<bool>(connection.database(), "SELECT begun FROM queue WHERE run_id = ?", run);
    if (!begun || *begun || connection.isAliveElsewhere(run))
        throw RunLogError(Message("queue.not_waiting", { { "run", numberOf(run) } }));
}

} // namespace

RunLogWriter::RunLogWriter(const std::filesystem::path& file, const LogProgress& progress)
    : m_file(placeToWrite(file))
    , m_queue(std::make_unique<LogQueue>(m_file, progress))
{
}

RunLogWriter::~RunLogWriter() = default;

RunId RunLogWriter::beginRun(const ResolvedExperiment& resolved)
{
    const std::string token = randomToken();
    RunId run {};
    m_queue->run([&](LogConnection& connection) {
        try {
            return connection.tryTransaction(Durability::Power, [&] {
                run = insertRun(connection.database(), resolved, token);
                for (const CheckedTable table :
                    { CheckedTable::Runs, CheckedTable::RunSettings, CheckedTable::Attempts })
                    connection.seals().touch(run, table);
                // Before the commit, so that no reader sees the row of a run that is not alive yet.
                connection.holdAlive(run, token);
            });
            // The transaction does not roll back the lock.
        } catch (...) {
            connection.releaseAlive(run);
            throw;
        }
    });
    remember(run, token);
    return run;
}

void RunLogWriter::beginQueued(RunId run, const ResolvedExperiment& resolved)
{
    std::string token;
    m_queue->run([&](LogConnection& connection) {
        return connection.tryTransaction(Durability::Power, [&] {
            requireWaiting(connection, run);
            token = tokenOf(connection.database(), run);
            beginQueuedRun(connection, run, resolved);
            connection.holdAlive(run, token); // before the commit, as for a new run
        });
    });
    remember(run, token);
}

void RunLogWriter::resumeRun(
    RunId run, const ResumePoint& from, const std::optional<ResolvedExperiment>& now)
{
    std::string token;
    m_queue->run([&](LogConnection& connection) {
        // A run that cannot be resumed may be alive here: its lock is released only if this call
        // took it.
        bool taken = false;
        LoggedProgress progress;
        try {
            const LogConnection::Turn turn = connection.tryTransaction(Durability::Power, [&] {
                const ResumableRun found = requireResumable(connection, run, from, now);
                token = found.token;
                connection.holdAlive(run, token); // before the commit, as for a new run
                taken = true;
                progress = beginAttempt(connection, found, from, now);
            });
            if (turn == LogConnection::Turn::Taken)
                m_queue->resumeSink(run, std::move(progress));
            return turn;
        } catch (...) {
            if (taken)
                connection.releaseAlive(run);
            throw;
        }
    });
    remember(run, token);
}

void RunLogWriter::remember(RunId run, const std::string& token)
{
    m_queue->sink(run, nullptr);
    // A session that was requested to stop had admitted everything; the new one waits for room
    // again.
    m_queue->admitAll(false);
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_tokens[run] = token;
}

void RunLogWriter::change(RunId run, const std::function<int(SQLite::Database&)>& work)
{
    m_queue->run([&](LogConnection& connection) {
        return connection.tryTransaction(Durability::Power, [&] {
            // A damaged row may be changed, but must not get a checksum that declares it undamaged.
            const bool damaged = !DamageFinder(connection.database())
                                      .inTable(run, CheckedTable::Runs)
                                      .damage.empty();
            if (work(connection.database()) == 0)
                throw noSuchRun(m_file, numberOf(run));
            if (!damaged)
                connection.seals().touch(run, CheckedTable::Runs);
        });
    });
}

void RunLogWriter::inTransaction(const std::function<void(LogConnection&)>& work)
{
    m_queue->run([&](LogConnection& connection) {
        return connection.tryTransaction(Durability::Power, [&] { work(connection); });
    });
}

void RunLogWriter::rename(RunId run, const std::string& name)
{
    if (!isRunName(name))
        throw RunLogError(Message("runlog.bad_run_name", { { "most", kLongestRunName } }));
    change(run, [&](SQLite::Database& database) {
        return execute(database, "UPDATE runs SET name = ? WHERE id = ?", name, run);
    });
}

void RunLogWriter::setNote(RunId run, const std::string& note)
{
    requireNote(note);
    change(run, [&](SQLite::Database& database) {
        return execute(database, "UPDATE runs SET note = ? WHERE id = ?", note, run);
    });
}

void RunLogWriter::setArchived(RunId run, bool archived)
{
    change(run, [&](SQLite::Database& database) {
        return execute(database, "UPDATE runs SET archived = ? WHERE id = ?", archived, run);
    });
}

// Tags are read within the transaction that changes them, because another process may change them,
// too.
std::vector<std::string> RunLogWriter::changeTags(
    RunId run, const std::vector<std::string>& added, const std::vector<std::string>& removed)
{
    for (const std::string& tag : added)
        if (const Message problem = problemOfTag(tag); !problem.empty())
            throw RunLogError(problem);
    std::vector<std::string> tags;
    change(run, [&](SQLite::Database& database) {
        const auto stored =
            firstOf<std::string>(database, "SELECT tags FROM runs WHERE id = ?", run);
        tags = changedTags(tagsIn(stored.value_or("")), added, removed);
        return execute(database, "UPDATE runs SET tags = ? WHERE id = ?", textOfTags(tags), run);
    });
    return tags;
}

PrunedRuns RunLogWriter::prune(const std::vector<RunId>& runs, Prunable which)
{
    std::int64_t before = 0;
    PrunedRuns pruned;
    m_queue->run([&](LogConnection& connection) {
        before = bytesOnDisk(m_file);
        return connection.tryTransaction(
            Durability::Power, [&] { pruned = deleteRuns(connection, runs, which); });
    });
    if (!pruned.runs.empty())
        pruned.notCompacted = compact();
    // Other processes may have written meanwhile, so the file may even have grown.
    pruned.bytesFreed += std::max<std::int64_t>(0, before - bytesOnDisk(m_file));
    return pruned;
}

// Compacting needs room for a second copy, so it fails on a full disk where deleting succeeded.
Message RunLogWriter::compact()
{
    try {
        m_queue->run([](LogConnection& connection) { return connection.tryCompact(); });
    } catch (const RunLogError& error) {
        return error.message();
    }
    return {};
}

std::filesystem::path RunLogWriter::checkpointFolder(RunId run) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return checkpointFolderOf(m_file, run, m_tokens.at(run));
}

EventSink& RunLogWriter::sink(RunId run, EventSink* committed)
{
    return m_queue->sink(run, committed);
}

void RunLogWriter::admitAll()
{
    m_queue->admitAll(true);
}

bool RunLogWriter::flush()
{
    return m_queue->flush();
}

bool RunLogWriter::close()
{
    return m_queue->close();
}

Message RunLogWriter::problem() const
{
    return m_queue->problem();
}

} // namespace accrue
