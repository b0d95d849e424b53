// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_resume.h"

#include "engine/experiment/keys.h"
#include "engine/logfile/log_damage.h"
#include "engine/logfile/metric_columns.h"
#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/sql_guard.h"
#include "engine/logfile/superseded_rows.h"
#include "engine/runlog/program_version.h"
#include "engine/runlog/resume_check.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/this_machine.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>

#include <unistd.h>

#include <SQLiteCpp/Database.h>

// A resumed run must continue as if it had never stopped, so its sums are computed from its rows
// again: those in `runs` and `summaries` contain steps that the new attempt repeats. The rows are
// replayed table by table, which is enough because no metric has values in two tables.

namespace accrue {

namespace {

// Reads the tables of a run's course, each in its order, and counts rows that are not superseded.
class Replay {
public:
    Replay(SQLite::Database& database, RunId run)
        : m_database(database)
        , m_run(run)
        , m_format(formatOf(database))
        , m_superseded(database, run)
        , m_foreign(isForeign(database, run))
    {
    }

    LoggedProgress progress() &&
    {
        readTable(CheckedTable::Steps);
        readTable(CheckedTable::Epochs);
        readTable(CheckedTable::Evaluations);
        if (isInFormat(CheckedTable::MetricValues, m_format))
            readValues();
        if (m_foreign)
            readHistograms();
        return std::move(m_progress);
    }

private:
    std::vector<const MetricInfo*> metricsIn(CheckedTable table) const
    {
        std::vector<const MetricInfo*> found;
        for (const MetricInfo& metric : metrics())
            if (const MetricPlace place = placeOf(metric);
                place.table == table && place.since <= m_format)
                found.push_back(&metric);
        return found;
    }

    void readTable(CheckedTable table)
    {
        // All metrics of a table in one pass over its rows.
        const std::vector<const MetricInfo*> metrics = metricsIn(table);
        std::string columns = "attempt, epoch, step, samples, micro_batches, seconds";
        for (const MetricInfo* metric : metrics)
            columns += ", " + placeOf(*metric).value;
        Query rows(m_database,
            "SELECT " + columns + " FROM " + std::string(nameOf(table))
                + " WHERE run_id = ? ORDER BY step, micro_batches, attempt",
            m_run);
        while (rows.next()) {
            std::int64_t attempt = 0;
            ResumePoint at;
            rows.read(attempt, at.epoch, at.step, at.samples, at.microBatches, at.seconds);
            if (m_superseded.contains(attempt, at.microBatches))
                continue;
            if (table != CheckedTable::Evaluations) // they do not advance a run
                m_progress.advance(at);
            for (const MetricInfo* metric : metrics)
                if (const std::optional<double> value = rows.optional())
                    m_progress.tallies.add(*metric, *value, at.step);
        }
    }

    void readValues()
    {
        Query rows(m_database,
            "SELECT attempt, epoch, step, samples, micro_batches, seconds, metric, value"
            " FROM metric_values WHERE run_id = ? AND rank = ?"
            " ORDER BY step, micro_batches, attempt",
            m_run, kFirstRank);
        while (rows.next()) {
            std::int64_t attempt = 0;
            ResumePoint at;
            rows.read(attempt, at.epoch, at.step, at.samples, at.microBatches, at.seconds);
            const MetricInfo metric = metricNamed(rows.text());
            if (m_foreign)
                m_progress.advance(at); // it has no rows elsewhere
            if (!m_superseded.contains(attempt, at.microBatches) && isCounted(metric))
                m_progress.tallies.add(metric, rows.number(), at.step);
        }
    }

    // Maybe it has nothing else.
    void readHistograms()
    {
        const auto last = firstOf<std::int64_t>(m_database,
            "SELECT step FROM histograms WHERE run_id = ? ORDER BY step DESC LIMIT 1", m_run);
        m_progress.step = std::max(m_progress.step, last.value_or(0));
    }

    bool isCounted(const MetricInfo& metric) const
    {
        return m_foreign ? metric.section != MetricSection::Trace : isCarriedByName(metric);
    }

    SQLite::Database& m_database;
    const RunId m_run;
    const int m_format;
    const SupersededRows m_superseded;
    const bool m_foreign;
    LoggedProgress m_progress;
};

// Damaged rows would be counted, and get a checksum that declares them undamaged.
void requireWhole(LogConnection& connection, RunId run)
{
    DamageFinder finder(connection.database());
    std::vector<LogDamage> damage = finder.inTable(run, CheckedTable::Runs).damage;
    for (LogDamage& found : finder.inOtherTables(run))
        damage.push_back(std::move(found));
    if (!damage.empty())
        throw damageOf(connection.file(), describe(damage));
}

int countAttempt(SQLite::Database& database, RunId run)
{
    const auto attempt = firstOf<int>(database,
        "UPDATE runs SET attempt = attempt + 1, outcome = NULL, ended_ms = NULL, message = '',"
        " message_code = '', message_arguments = '{}', ended_early = '', paused = 0, host = ?,"
        " boot_id = ?, pid = ?, program_version = ?, code_revision = ?"
        " WHERE id = ? RETURNING attempt",
        thisMachine().host, thisMachine().bootId, getpid(), programVersion(), codeRevision(), run);
    return attempt.value();
}

MessageArgument::Value argumentOf(const SettingValue& value)
{
    std::string text = settingText(value);
    return text.empty() ? MessageArgument::Value(Message("runlog.no_value")) : std::move(text);
}

Message resumedMessage(int attempt, const ResumePoint& from)
{
    if (from.microBatches == 0)
        return Message("runlog.resumed_from_start", { { "attempt", attempt } });
    return Message("runlog.resumed_from_step", { { "attempt", attempt }, { "step", from.step } });
}

// The settings of the attempt become the run's. Adds the changed ones to the message.
Message adoptSettings(
    LogConnection& connection, const RunRecord& run, Experiment now, Message resumed)
{
    // A run that begins again sets the threads that its recipe left open; that is no change by the
    // user.
    if (!run.experiment.run.threads && now.run.threads == run.threads)
        now.run.threads.reset();
    // A renamed run must not count as one with a changed setting.
    now.name = run.experiment.name;
    const Settings before = settingsOf(run.experiment);
    const Settings after = settingsOf(now);
    for (std::size_t i = 0; i < after.size(); ++i)
        if (after[i] != before[i])
            resumed = Message("runlog.setting_changed",
                { { "resumed", resumed }, { "key", after[i].first },
                    { "old", argumentOf(before[i].second) },
                    { "new", argumentOf(after[i].second) } });
    if (after != before)
        replaceRecipe(connection, run.id, now);
    return resumed;
}

} // namespace

LoggedProgress progressInRows(SQLite::Database& database, RunId run)
{
    return Replay(database, run).progress();
}

ResumableRun requireResumable(LogConnection& connection, RunId run, const ResumePoint& from,
    const std::optional<ResolvedExperiment>& now)
{
    ExperimentCache recipes;
    std::vector<StoredRun> found = readRuns(connection.database(), recipes, run);
    if (found.empty())
        throw noSuchRun(connection.file(), numberOf(run));
    StoredRun& stored = found.front();
    const bool trains = connection.isMine(run) && !connection.isClaimed(run);
    const bool alive = trains || connection.isAliveElsewhere(run);
    stored.record.state = alive ? RunState::Running : stateOf(stored, false);
    // A completed run only resumes with a recipe; checkLengthOf decides whether that is longer.
    const bool longer = hasItsLength(stored.record) && now;
    if (const Message why =
            whyNotResumable(stored.record, longer ? Length::Longer : Length::AsBefore);
        !why.empty())
        throw RunLogError(why);
    if (now)
        if (const Findings findings = checkLengthOf(stored.record, *now, from.step);
            !findings.empty())
            throw RunLogError(Error(findings.front().message).message());
    requireWhole(connection, run);
    return { stored.record, tokenOf(connection.database(), run) };
}

LoggedProgress beginAttempt(LogConnection& connection, const ResumableRun& resumed,
    const ResumePoint& from, const std::optional<ResolvedExperiment>& now)
{
    SQLite::Database& database = connection.database();
    const RunId run = resumed.record.id;
    // In this order: the attempt supersedes rows, which the count below must leave out.
    const int attempt = countAttempt(database, run);
    insertAttempt(database, run, attempt, from);
    LoggedProgress progress = progressInRows(database, run);
    const bool whole = progress.step >= from.step;
    Message text = resumedMessage(attempt, from);
    if (now)
        text = adoptSettings(connection, resumed.record, now->experiment, text);
    if (!whole) // a process that dies may lose rows that its checkpoint already contains
        text = Message("runlog.steps_lost", { { "resumed", text }, { "step", progress.step } });
    progress.attempt = attempt;
    progress.step = 0; // back to the checkpoint, even if there are rows beyond it
    progress.advance(from);
    execute(database, "DELETE FROM summaries WHERE run_id = ?", run); // they are written again
    connection.rows().writeSummary(run, progress);
    connection.rows().writeContinued(run, progress,
        whole ? RunMessage::Severity::Information : RunMessage::Severity::Warning, text);
    return progress;
}

} // namespace accrue
