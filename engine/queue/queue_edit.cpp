// SPDX-License-Identifier: Apache-2.0
#include "engine/queue/queue_edit.h"

#include "engine/events/event_json.h"
#include "engine/logfile/checked_table.h"
#include "engine/logfile/query.h"
#include "engine/logfile/queue_rows.h"
#include "engine/runlog/this_machine.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <SQLiteCpp/Database.h>

namespace accrue {

std::vector<QueueEntry> QueueEdit::entries()
{
    std::map<RunId, QueuePlace> places = readQueue(m_connection.database());
    std::vector<QueueEntry> entries;
    Query rows(m_connection.database(),
        "SELECT run_id, coalesce(sweep_id, 0), archived FROM queue JOIN runs ON id = run_id"
        // One that was interrupted comes first, wherever it stood.
        " ORDER BY begun DESC, position, run_id");
    while (rows.next()) {
        QueueEntry& entry = entries.emplace_back();
        rows.read(entry.run, entry.sweep, entry.archived);
        entry.place = places[entry.run];
        entry.alive = m_connection.isMine(entry.run) || m_connection.isAliveElsewhere(entry.run);
    }
    return entries;
}

QueueEntry QueueEdit::waiting(RunId run)
{
    for (const QueueEntry& entry : entries())
        if (entry.run == run && !entry.alive)
            return entry;
    throw RunLogError(Message("queue.not_waiting", { { "run", numberOf(run) } }));
}

double QueueEdit::lastPosition()
{
    return firstOf<double>(m_connection.database(), "SELECT coalesce(max(position), 0) FROM queue")
        .value_or(0);
}

void QueueEdit::insert(RunId run, const QueuePlace& place)
{
    execute(m_connection.database(),
        insertText("INSERT INTO queue",
            { "run_id", "position", "held", "begun", "rungs", "rung", "predicted_bytes",
                "predicted_seconds", "added_ms" }),
        run, place.position, place.held, place.begun, textOfRungs(place.rungs), place.rung,
        place.predictedBytes, place.predictedSeconds, place.addedMs);
    changed(run);
}

void QueueEdit::place(const std::vector<RunId>& runs, const std::optional<RunId>& before)
{
    std::vector<RunId> order;
    const auto isMoved = [&](RunId run) {
        return std::find(runs.begin(), runs.end(), run) != runs.end();
    };
    std::map<RunId, double> positions;
    for (const QueueEntry& entry : entries()) {
        positions[entry.run] = entry.place.position;
        if (!isMoved(entry.run))
            order.push_back(entry.run);
    }
    // By position alone: an interrupted run is taken first whatever its position is.
    std::stable_sort(
        order.begin(), order.end(), [&](RunId a, RunId b) { return positions[a] < positions[b]; });
    const auto at = before ? std::find(order.begin(), order.end(), *before) : order.end();
    const double above = at == order.begin() ? 0 : positions[*std::prev(at)];
    const double below =
        at == order.end() ? above + 2.0 * static_cast<double>(runs.size() + 1) : positions[*at];
    const double gap = (below - above) / static_cast<double>(runs.size() + 1);
    order.insert(at, runs.begin(), runs.end());
    // Doubles between two neighbours end after some fifty halvings.
    const bool fits = above + gap > above && above + gap < below && gap > 1e-9 * std::abs(below);
    double position = above;
    for (const RunId run : fits ? runs : order)
        setPosition(run, fits ? position += gap : position += 1);
}

void QueueEdit::setPosition(RunId run, double position)
{
    execute(
        m_connection.database(), "UPDATE queue SET position = ? WHERE run_id = ?", position, run);
    changed(run);
}

void QueueEdit::setHeld(RunId run, bool held)
{
    // Whoever releases a run that killed its workers wants to try again.
    execute(m_connection.database(), "UPDATE queue SET held = ?, failures = 0 WHERE run_id = ?",
        held, run);
    changed(run);
}

void QueueEdit::countFailure(RunId run)
{
    execute(
        m_connection.database(), "UPDATE queue SET failures = failures + 1 WHERE run_id = ?", run);
    changed(run);
}

void QueueEdit::passRung(RunId run)
{
    execute(m_connection.database(), "UPDATE queue SET rung = rung + 1 WHERE run_id = ?", run);
    changed(run);
}

void QueueEdit::end(RunId run, RunOutcome how, const Message& why, EarlyEnd early)
{
    execute(m_connection.database(),
        "UPDATE runs SET outcome = ?, message = ?, message_code = ?, message_arguments = ?,"
        " ended_early = ?, ended_ms = ? WHERE id = ?",
        nameOf(how), why, nameOf(early), unixTimeMs(), run);
    m_connection.seals().touch(run, CheckedTable::Runs);
    remove(run);
}

void QueueEdit::remove(RunId run)
{
    execute(m_connection.database(), "DELETE FROM queue WHERE run_id = ?", run);
    changed(run);
}

void QueueEdit::deleteRun(RunId run)
{
    execute(m_connection.database(), "DELETE FROM runs WHERE id = ?", run);
}

void QueueEdit::changed(RunId run)
{
    m_connection.seals().touch(run, CheckedTable::Queue);
}

} // namespace accrue
