// SPDX-License-Identifier: Apache-2.0
#include "engine/queue/run_queue.h"

#include "engine/logfile/checked_table.h"
#include "engine/logfile/query.h"
#include "engine/logfile/queue_rows.h"
#include "engine/queue/queue_edit.h"
#include "engine/queue/sweep_rungs.h"
#include "engine/runlog/run_log_resume.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/this_machine.h"

#include <algorithm>
#include <utility>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

constexpr int kMostFailures = 2; // workers that may die with a run before it is held

void sealRun(LogConnection& connection, RunId run)
{
    for (const CheckedTable table : { CheckedTable::Runs, CheckedTable::RunSettings })
        connection.seals().touch(run, table);
}

RunId insertWaiting(
    LogConnection& connection, const RunToQueue& queued, double position, std::int64_t sweep)
{
    SQLite::Database& database = connection.database();
    const RunId run = insertRunWithoutAttempt(database, queued.resolved, randomToken());
    if (sweep != 0)
        execute(database, "UPDATE runs SET sweep_id = ? WHERE id = ?", sweep, run);
    sealRun(connection, run);
    QueueEdit(connection)
        .insert(run,
            { .position = position,
                .rungs = queued.rungs,
                .predictedBytes = queued.predictedBytes,
                .predictedSeconds = queued.predictedSeconds,
                .addedMs = unixTimeMs() });
    return run;
}

bool hasAttempt(SQLite::Database& database, RunId run)
{
    return firstOf<int>(database, "SELECT 1 FROM attempts WHERE run_id = ?", run).has_value();
}

// One that was begun on a machine whose locks cannot be seen from here may be trained there.
bool mayTrainElsewhere(SQLite::Database& database, RunId run)
{
    ExperimentCache recipes;
    const std::vector<StoredRun> found = readRuns(database, recipes, run);
    return !found.empty() && stateOf(found.front(), /*alive=*/false) == RunState::Unknown;
}

void holdForFailures(LogConnection& connection, QueueEdit& edit, RunId run)
{
    edit.setHeld(run, true);
    LoggedProgress progress = progressInRows(connection.database(), run);
    progress.attempt =
        firstOf<int>(connection.database(), "SELECT attempt FROM runs WHERE id = ?", run)
            .value_or(1);
    const Message why("queue.workers_died", { { "times", kMostFailures } });
    connection.rows().write(run, progress,
        RunMessage { RunMessage::Severity::Warning, progress.step, progress.seconds, why });
}

// False: it is passed over.
bool mayTake(LogConnection& connection, QueueEdit& edit, const QueueEntry& entry, QueueNews& news)
{
    if (entry.alive || entry.archived || entry.place.atRung)
        return false;
    if (entry.place.begun && mayTrainElsewhere(connection.database(), entry.run))
        return false;
    if (entry.place.failures < kMostFailures)
        return true;
    holdForFailures(connection, edit, entry.run);
    news.held.push_back(entry.run);
    return false;
}

TakenRun claim(LogConnection& connection, const QueueEntry& entry)
{
    const RunId run = entry.run;
    SQLite::Database& database = connection.database();
    const bool begun = hasAttempt(database, run);
    if (begun) { // until then it counts as waiting, and would not be resumed
        execute(database, "UPDATE queue SET begun = 1 WHERE run_id = ?", run);
        connection.seals().touch(run, CheckedTable::Queue);
    }
    // Until it ends or waits again; a worker that dies leaves it so.
    QueueEdit(connection).countFailure(run);
    connection.claim(run, tokenOf(database, run));
    return { run, begun, nextRung(entry.place).value_or(0) };
}

TakenRun takeOnly(LogConnection& connection, QueueEdit& edit, RunId run)
{
    const QueueEntry entry = edit.waiting(run);
    if (entry.place.atRung)
        throw RunLogError(Message("queue.at_rung", { { "run", numberOf(run) } }));
    edit.setHeld(run, false);
    return claim(connection, entry);
}

std::optional<TakenRun> takeNext(LogConnection& connection, const QueueTurn& turn, QueueNews& news)
{
    QueueEdit edit(connection);
    const bool isHeld = isQueueHeld(connection.database());
    if (turn.only || !isHeld)
        news.stopped = decideRungs(connection, edit);
    if (turn.only)
        return takeOnly(connection, edit, *turn.only);
    if (isHeld)
        return std::nullopt;
    const std::vector<QueueEntry> entries = edit.entries();
    for (const QueueEntry& entry : entries)
        if (!entry.place.held && mayTake(connection, edit, entry, news))
            return claim(connection, entry);
    news.awaitsRung = awaitsOthers(entries);
    return std::nullopt;
}

// The run before which `runs` move; empty: behind all.
std::optional<RunId> neighbourOf(
    QueueEdit& edit, const std::vector<RunId>& runs, RunQueue::Place place)
{
    std::vector<QueueEntry> entries = edit.entries();
    std::erase_if(entries, [](const QueueEntry& entry) { return entry.alive; });
    std::stable_sort(entries.begin(), entries.end(), [](const QueueEntry& a, const QueueEntry& b) {
        return a.place.position < b.place.position;
    });
    const auto isMoved = [&](const QueueEntry& entry) {
        return std::find(runs.begin(), runs.end(), entry.run) != runs.end();
    };
    const auto first = std::find_if(entries.begin(), entries.end(), isMoved);
    const auto last = std::find_if(entries.rbegin(), entries.rend(), isMoved).base();
    const auto runOf = [&](auto entry) {
        return entry == entries.end() ? std::nullopt : std::optional(entry->run);
    };
    if (place == RunQueue::Place::Earlier && first != entries.begin())
        return runOf(std::prev(first));
    if (place == RunQueue::Place::Later && entries.end() - last > 1)
        return runOf(std::next(last)); // behind the next one
    if (place == RunQueue::Place::Later || place == RunQueue::Place::Last)
        return std::nullopt;
    return runOf(std::find_if_not(entries.begin(), entries.end(), isMoved));
}

} // namespace

QueuedRuns RunQueue::add(
    const std::vector<RunToQueue>& runs, const std::optional<SweepToQueue>& sweep)
{
    QueuedRuns added;
    m_log.inTransaction([&](LogConnection& connection) {
        added = {};
        SQLite::Database& database = connection.database();
        if (sweep)
            added.sweep =
                insertSweep(database, randomToken(), sweep->name, unixTimeMs(), sweep->definition);
        double position = QueueEdit(connection).lastPosition();
        for (const RunToQueue& run : runs)
            added.runs.push_back(insertWaiting(connection, run, position += 1, added.sweep));
    });
    return added;
}

void RunQueue::move(const std::vector<RunId>& runs, Place place)
{
    m_log.inTransaction([&](LogConnection& connection) {
        QueueEdit edit(connection);
        for (const RunId run : runs)
            edit.waiting(run);
        edit.place(runs, neighbourOf(edit, runs, place));
    });
}

void RunQueue::moveBefore(const std::vector<RunId>& runs, RunId other)
{
    m_log.inTransaction([&](LogConnection& connection) {
        QueueEdit edit(connection);
        for (const RunId run : runs)
            edit.waiting(run);
        edit.waiting(other);
        if (std::find(runs.begin(), runs.end(), other) == runs.end())
            edit.place(runs, other);
    });
}

void RunQueue::hold(const std::vector<RunId>& runs, bool held)
{
    m_log.inTransaction([&](LogConnection& connection) {
        QueueEdit edit(connection);
        for (const RunId run : runs) {
            edit.waiting(run);
            edit.setHeld(run, held);
        }
    });
}

void RunQueue::holdAll(bool held)
{
    m_log.inTransaction([&](LogConnection& connection) {
        execute(connection.database(), "INSERT OR REPLACE INTO queue_hold (id, held) VALUES (1, ?)",
            held);
    });
}

std::vector<RunId> RunQueue::remove(const std::vector<RunId>& runs)
{
    std::vector<RunId> removed;
    m_log.inTransaction([&](LogConnection& connection) {
        removed.clear();
        QueueEdit edit(connection);
        for (const QueueEntry& entry : edit.entries()) {
            if (entry.alive || std::find(runs.begin(), runs.end(), entry.run) == runs.end())
                continue;
            if (hasAttempt(connection.database(), entry.run))
                edit.remove(entry.run);
            else
                edit.deleteRun(entry.run);
            removed.push_back(entry.run);
        }
        deleteEmptySweeps(connection.database());
    });
    return removed;
}

void RunQueue::keepPart(const QueuePart& part)
{
    m_log.inTransaction([&](LogConnection& connection) {
        QueueEdit edit(connection);
        std::int64_t number = 0;
        for (const QueueEntry& entry : edit.entries())
            if (hasAttempt(connection.database(), entry.run))
                edit.remove(entry.run);
            else if (number++ % part.count != part.number - 1)
                edit.deleteRun(entry.run);
    });
}

void RunQueue::requestStop(RunId run)
{
    m_log.inTransaction([&](LogConnection& connection) {
        // Not by its column `begun`: a worker that has taken it may still load the data.
        for (const QueueEntry& entry : QueueEdit(connection).entries())
            if (entry.run == run && entry.alive) {
                execute(connection.database(), "UPDATE queue SET stop = 1 WHERE run_id = ?", run);
                connection.seals().touch(run, CheckedTable::Queue);
            }
    });
}

std::optional<TakenRun> RunQueue::take(const QueueTurn& turn, QueueNews* news)
{
    std::optional<TakenRun> taken;
    QueueNews found;
    m_log.inTransaction([&](LogConnection& connection) {
        found = {};
        taken = takeNext(connection, turn, found);
    });
    if (news != nullptr)
        *news = std::move(found);
    return taken;
}

void RunQueue::fail(RunId run, const Message& why)
{
    m_log.inTransaction([&](LogConnection& connection) {
        QueueEdit(connection).end(run, RunOutcome::Failed, why);
        connection.releaseAlive(run);
    });
}

void RunQueue::putBack(RunId run)
{
    m_log.inTransaction([&](LogConnection& connection) {
        execute(connection.database(),
            "UPDATE queue SET begun = 0, failures = 0, stop = 0 WHERE run_id = ?", run);
        connection.seals().touch(run, CheckedTable::Queue);
        connection.releaseAlive(run);
    });
}

} // namespace accrue
