// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_writer.h"

#include "engine/experiment/run_name.h"
#include "engine/experiment/shown_text.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/log_damage.h"
#include "engine/runlog/log_file.h"
#include "engine/runlog/log_queue.h"
#include "engine/runlog/prune.h"
#include "engine/runlog/run_log_resume.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/run_tags.h"
#include "engine/runlog/this_machine.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

using Durability = LogConnection::Durability;

namespace {

// A sentence; empty: there is none.
std::string problemOfNote(const std::string& note)
{
    if (note.size() > kLongestNote)
        return "A note has at most " + std::to_string(kLongestNote) + " bytes, but this one has "
            + std::to_string(note.size()) + ". Write a shorter one.";
    // SQLite's functions end a text at a NUL.
    if (!isUtf8(note) || note.find('\0') != std::string::npos)
        return "The note is no UTF-8 text. Save it as UTF-8, or write another one.";
    return {};
}

} // namespace

class RunLogWriter::Impl {
public:
    Impl(const std::filesystem::path& place, const LogProgress& progress)
        : file(place)
        , queue(place, progress)
    {
    }

    RunId beginRun(const Experiment& experiment);
    void resumeRun(RunId run, const ResumePoint& from, const std::optional<Experiment>& now);
    // Runs `work` on one run, which returns how many rows it changed; 0: there is no such run.
    void change(RunId run, const std::function<int(SQLite::Database&)>& work);
    // Runs an UPDATE of one run; `bind` fills in all parameters.
    void update(RunId run, const char* sql, const std::function<void(SQLite::Statement&)>& bind);
    std::vector<std::string> changeTags(
        RunId run, const std::vector<std::string>& added, const std::vector<std::string>& removed);
    PrunedRuns prune(const std::vector<RunId>& runs, Prunable which);
    std::string compact();
    std::filesystem::path checkpointFolder(RunId run) const;

    const std::filesystem::path file;
    LogQueue queue;

private:
    void remember(RunId run, const std::string& token);

    mutable std::mutex m_mutex;
    // Of the runs begun or resumed here; guarded by m_mutex.
    std::map<RunId, std::string> m_tokens;
};

RunId RunLogWriter::Impl::beginRun(const Experiment& experiment)
{
    const std::string token = randomToken();
    RunId run {};
    queue.run([&](LogConnection& connection) {
        try {
            return connection.tryTransaction(Durability::Power, [&] {
                run = insertRun(connection.database(), experiment, token);
                for (const CheckedTable table :
                    { CheckedTable::Runs, CheckedTable::RunSettings, CheckedTable::Attempts })
                    connection.seals().touch(run, table);
                // Before the commit, so that no reader sees the row of a run that is not alive yet.
                connection.holdAlive(run, token);
            });
        } catch (...) {
            connection.releaseAlive(run);
            throw;
        }
    });
    remember(run, token);
    return run;
}

void RunLogWriter::Impl::resumeRun(
    RunId run, const ResumePoint& from, const std::optional<Experiment>& now)
{
    std::string token;
    queue.run([&](LogConnection& connection) {
        bool taken = false;
        LoggedProgress progress;
        try {
            const LogConnection::Turn turn = connection.tryTransaction(Durability::Power, [&] {
                const ResumableRun found = requireResumable(connection, run, from, now);
                token = found.token;
                connection.holdAlive(run, token); // before the commit, as that of a new run
                taken = true;
                progress = beginAttempt(connection, found, from, now);
            });
            if (turn == LogConnection::Turn::Taken)
                queue.resumeSink(run, std::move(progress));
            return turn;
        } catch (...) {
            if (taken)
                connection.releaseAlive(run);
            throw;
        }
    });
    remember(run, token);
}

void RunLogWriter::Impl::remember(RunId run, const std::string& token)
{
    queue.sink(run, nullptr);
    queue.admitAll(false);
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_tokens[run] = token;
}

void RunLogWriter::Impl::update(
    RunId run, const char* sql, const std::function<void(SQLite::Statement&)>& bind)
{
    change(run, [&](SQLite::Database& database) {
        SQLite::Statement statement(database, sql);
        bind(statement);
        return statement.exec();
    });
}

void RunLogWriter::Impl::change(RunId run, const std::function<int(SQLite::Database&)>& work)
{
    queue.run([&](LogConnection& connection) {
        return connection.tryTransaction(Durability::Power, [&] {
            // A damaged row may be changed, but never gets a checksum that says it is whole.
            const bool damaged = !DamageFinder(connection.database())
                                      .inTable(run, CheckedTable::Runs)
                                      .damage.empty();
            if (work(connection.database()) == 0)
                throw RunLogError("There is no run #" + std::to_string(numberOf(run)) + " in "
                    + file.string() + ".");
            if (!damaged)
                connection.seals().touch(run, CheckedTable::Runs);
        });
    });
}

std::vector<std::string> RunLogWriter::Impl::changeTags(
    RunId run, const std::vector<std::string>& added, const std::vector<std::string>& removed)
{
    std::vector<std::string> tags;
    change(run, [&](SQLite::Database& database) {
        SQLite::Statement select(database, "SELECT tags FROM runs WHERE id = ?");
        select.bind(1, numberOf(run));
        if (!select.executeStep())
            return 0;
        tags = changedTags(tagsIn(select.getColumn(0).getString()), added, removed);
        SQLite::Statement update(database, "UPDATE runs SET tags = ? WHERE id = ?");
        update.bind(1, textOfTags(tags));
        update.bind(2, numberOf(run));
        return update.exec();
    });
    return tags;
}

PrunedRuns RunLogWriter::Impl::prune(const std::vector<RunId>& runs, Prunable which)
{
    std::int64_t before = 0;
    PrunedRuns pruned;
    queue.run([&](LogConnection& connection) {
        before = bytesOnDisk(file);
        return connection.tryTransaction(
            Durability::Power, [&] { pruned = deleteRuns(connection, runs, which); });
    });
    if (!pruned.runs.empty())
        pruned.notCompacted = compact();
    pruned.bytesFreed += std::max<std::int64_t>(0, before - bytesOnDisk(file));
    return pruned;
}

// Why the file keeps its free pages; empty: it does not. Compacting takes room for a second copy,
// and so fails where there is none.
std::string RunLogWriter::Impl::compact()
{
    try {
        queue.run([](LogConnection& connection) { return connection.tryCompact(); });
    } catch (const RunLogError& error) {
        return error.what();
    }
    return {};
}

std::filesystem::path RunLogWriter::Impl::checkpointFolder(RunId run) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return checkpointFolderOf(file, run, m_tokens.at(run));
}

RunLogWriter::RunLogWriter(const std::filesystem::path& file, const LogProgress& progress)
    : m_impl(std::make_unique<Impl>(placeToWrite(file), progress))
{
}

RunLogWriter::~RunLogWriter() = default;

RunId RunLogWriter::beginRun(const Experiment& experiment)
{
    return m_impl->beginRun(experiment);
}

void RunLogWriter::resumeRun(
    RunId run, const ResumePoint& from, const std::optional<Experiment>& now)
{
    m_impl->resumeRun(run, from, now);
}

EventSink& RunLogWriter::sink(RunId run, EventSink* committed)
{
    return m_impl->queue.sink(run, committed);
}

void RunLogWriter::admitAll()
{
    m_impl->queue.admitAll(true);
}

bool RunLogWriter::flush()
{
    return m_impl->queue.flush();
}

bool RunLogWriter::close()
{
    return m_impl->queue.close();
}

std::string RunLogWriter::problem() const
{
    return m_impl->queue.problem();
}

void RunLogWriter::rename(RunId run, const std::string& name)
{
    if (!isRunName(name))
        throw RunLogError("The name of a run is one line of UTF-8 text of at most "
            + std::to_string(kLongestRunName) + " characters. Choose another one.");
    m_impl->update(run, "UPDATE runs SET name = ? WHERE id = ?", [&](SQLite::Statement& statement) {
        statement.bind(1, name);
        statement.bind(2, numberOf(run));
    });
}

void RunLogWriter::setNote(RunId run, const std::string& note)
{
    const std::string problem = problemOfNote(note);
    if (!problem.empty())
        throw RunLogError(problem);
    m_impl->update(run, "UPDATE runs SET note = ? WHERE id = ?", [&](SQLite::Statement& statement) {
        statement.bind(1, note);
        statement.bind(2, numberOf(run));
    });
}

void RunLogWriter::setArchived(RunId run, bool archived)
{
    m_impl->update(
        run, "UPDATE runs SET archived = ? WHERE id = ?", [&](SQLite::Statement& statement) {
            statement.bind(1, archived ? 1 : 0);
            statement.bind(2, numberOf(run));
        });
}

PrunedRuns RunLogWriter::prune(const std::vector<RunId>& runs)
{
    return m_impl->prune(runs, Prunable::Archived);
}

PrunedRuns RunLogWriter::remove(const std::vector<RunId>& runs)
{
    return m_impl->prune(runs, Prunable::Any);
}

std::vector<std::string> RunLogWriter::changeTags(
    RunId run, const std::vector<std::string>& added, const std::vector<std::string>& removed)
{
    for (const std::string& tag : added)
        if (const std::string problem = problemOfTag(tag); !problem.empty())
            throw RunLogError(problem);
    return m_impl->changeTags(run, added, removed);
}

std::filesystem::path RunLogWriter::checkpointFolder(RunId run) const
{
    return m_impl->checkpointFolder(run);
}

} // namespace accrue
