// SPDX-License-Identifier: Apache-2.0
#include "engine/queue/sweep_rungs.h"

#include "engine/base/error.h"
#include "engine/logfile/queue_rows.h"
#include "engine/runlog/run_rows.h"
#include "engine/sweep/halving.h"
#include "engine/sweep/sweep_json.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

using State = RungEntry::State;
using Kind = RungDecision::Kind;

// The runs of a sweep that are in the queue.
using Waiting = std::vector<QueueEntry>;

std::map<std::int64_t, Waiting> sweepsIn(const std::vector<QueueEntry>& entries)
{
    std::map<std::int64_t, Waiting> sweeps;
    for (const QueueEntry& entry : entries)
        // One that a person has archived is not awaited.
        if (entry.sweep != 0 && !entry.place.rungs.empty() && !entry.archived)
            sweeps[entry.sweep].push_back(entry);
    return sweeps;
}

bool isAtRung(const QueueEntry& entry)
{
    return entry.place.atRung && !entry.alive;
}

// The first rung at which runs wait. Empty: none does.
std::optional<std::int64_t> rungOf(const Waiting& waiting)
{
    std::optional<std::int64_t> first;
    for (const QueueEntry& entry : waiting)
        if (isAtRung(entry))
            first = std::min(first.value_or(entry.place.rung), entry.place.rung);
    return first;
}

// Whether it still has to reach that rung.
bool isAwaited(const QueueEntry& entry, std::int64_t rung)
{
    return entry.place.rung <= rung && !isAtRung(entry);
}

bool isAwaited(const Waiting& waiting, std::int64_t rung)
{
    return std::any_of(waiting.begin(), waiting.end(),
        [&](const QueueEntry& entry) { return isAwaited(entry, rung); });
}

// η of a sweep; 0: its definition cannot be read, so that nothing of it may be stopped.
std::int64_t factorOf(SQLite::Database& database, std::int64_t sweep)
{
    for (const SweepRecord& record : readSweeps(database))
        if (record.id == sweep)
            try {
                return sweepOf(record.definition).halving;
            } catch (const Error&) {
                return 0;
            }
    return 0;
}

std::vector<RunRecord> runsOfSweep(SQLite::Database& database, std::int64_t sweep)
{
    ExperimentCache recipes;
    std::vector<RunRecord> runs;
    for (StoredRun& stored : readRuns(database, recipes, {}))
        if (stored.record.sweep == sweep)
            runs.push_back(std::move(stored.record));
    std::reverse(runs.begin(), runs.end()); // they are read newest first
    return runs;
}

// One rung of one sweep.
class Rung {
public:
    Rung(std::int64_t rung, std::int64_t eta, const Waiting& waiting)
        : m_rung(rung)
        , m_eta(eta)
    {
        for (const QueueEntry& entry : waiting)
            m_waiting[entry.run] = &entry;
        for (const QueueEntry& entry : waiting)
            m_rungs = std::max(m_rungs, std::ssize(entry.place.rungs));
    }

    // Of all runs that take part in it.
    void collect(const std::vector<RunRecord>& runs)
    {
        for (const RunRecord& run : runs)
            if (const auto found = m_waiting.find(run.id); found != m_waiting.end())
                addWaiting(run, *found->second);
        for (const RunRecord& run : runs)
            if (run.outcome && takesPart(run))
                add(run, run.outcome == RunOutcome::Completed ? State::Completed : State::Lost, 0);
    }

    const std::vector<RunRecord>& runs() const { return m_runs; }
    std::vector<RungDecision> decisions() const
    {
        if (m_eta >= 2)
            return decideRung(m_entries, m_eta).value();
        std::vector<RungDecision> all;
        for (const RungEntry& entry : m_entries)
            all.push_back({ entry.state == State::Reached ? Kind::Continue : Kind::None, {} });
        return all;
    }

private:
    void addWaiting(const RunRecord& run, const QueueEntry& entry)
    {
        if (entry.place.rung > m_rung) // has passed it while this one was archived
            return add(run, State::Completed, 0);
        add(run, State::Reached, nextRung(entry.place).value_or(run.step));
        m_worst = std::min(m_worst, bestAccuracyOf(run).value_or(m_worst));
    }

    void add(const RunRecord& run, State state, std::int64_t step)
    {
        m_runs.push_back(run);
        m_entries.push_back({ state, bestAccuracyOf(run), step });
    }

    // One that ended before an earlier rung was among those that were not to go on, unless it was
    // completed and is still as good as one that did.
    bool takesPart(const RunRecord& run) const
    {
        return run.step > lastRungOf(run)
            || (run.outcome == RunOutcome::Completed
                && bestAccuracyOf(run).value_or(-1) >= m_worst);
    }

    std::int64_t lastRungOf(const RunRecord& run) const
    {
        if (m_rung == 0)
            return -1;
        std::int64_t runs = 1;
        for (std::ptrdiff_t i = 0; i < m_rungs && m_eta >= 2; ++i)
            if (__builtin_mul_overflow(runs, m_eta, &runs))
                break;
        const std::vector<std::int64_t> rungs = halvingRungs(run.totalSteps, runs, m_eta);
        return m_rung <= std::ssize(rungs) ? rungs[static_cast<std::size_t>(m_rung - 1)]
                                           : run.totalSteps;
    }

    const std::int64_t m_rung;
    const std::int64_t m_eta;
    std::map<RunId, const QueueEntry*> m_waiting;
    std::ptrdiff_t m_rungs = 0;
    std::vector<RunRecord> m_runs;
    std::vector<RungEntry> m_entries; // of m_runs
    double m_worst = std::numeric_limits<double>::infinity(); // of those that have reached it
};

void stop(LogConnection& connection, QueueEdit& edit, const RunRecord& run, const Message& reason)
{
    edit.end(run.id, RunOutcome::Stopped, reason, EarlyEnd::Halving);
    LoggedProgress progress;
    progress.attempt = run.attempt;
    progress.advance(run);
    connection.rows().write(run.id, progress,
        RunMessage { RunMessage::Severity::Information, run.step, run.seconds, reason });
}

std::vector<RunId> decide(
    LogConnection& connection, QueueEdit& edit, std::int64_t sweep, const Waiting& waiting)
{
    std::vector<RunId> stopped;
    const std::optional<std::int64_t> number = rungOf(waiting);
    if (!number || isAwaited(waiting, *number))
        return stopped;
    Rung rung(*number, factorOf(connection.database(), sweep), waiting);
    rung.collect(runsOfSweep(connection.database(), sweep));
    const std::vector<RungDecision> decisions = rung.decisions();
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        const RunRecord& run = rung.runs()[i];
        if (decisions[i].kind == Kind::Stop) {
            stop(connection, edit, run, decisions[i].reason);
            stopped.push_back(run.id);
        } else if (decisions[i].kind == Kind::Continue) {
            edit.passRung(run.id);
        }
    }
    return stopped;
}

} // namespace

std::vector<RunId> decideRungs(LogConnection& connection, QueueEdit& edit)
{
    std::vector<RunId> stopped;
    for (const auto& [sweep, waiting] : sweepsIn(edit.entries()))
        for (const RunId run : decide(connection, edit, sweep, waiting))
            stopped.push_back(run);
    return stopped;
}

bool awaitsOthers(const std::vector<QueueEntry>& entries)
{
    const std::map<std::int64_t, Waiting> sweeps = sweepsIn(entries);
    return std::any_of(sweeps.begin(), sweeps.end(), [](const auto& sweep) {
        const Waiting& waiting = sweep.second;
        const std::optional<std::int64_t> rung = rungOf(waiting);
        return rung && std::all_of(waiting.begin(), waiting.end(), [&](const QueueEntry& entry) {
            return entry.alive || !isAwaited(entry, *rung);
        });
    });
}

} // namespace accrue
