// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_resume.h"

#include "engine/experiment/format.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/runlog/log_damage.h"
#include "engine/runlog/program_version.h"
#include "engine/runlog/row_cursor.h"
#include "engine/runlog/run_log_error.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/schema.h"
#include "engine/runlog/sql_guard.h"
#include "engine/runlog/superseded_rows.h"
#include "engine/runlog/this_machine.h"

#include <algorithm>

#include <unistd.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

// An attempt at the row's place; the columns that all three tables have.
constexpr const char* kPlace = "SELECT attempt, epoch, step, samples, micro_batches, seconds";

template <typename Event> Event eventAt(RowCursor& cursor)
{
    Event event;
    event.epoch = cursor.integer();
    event.step = cursor.integer();
    event.samples = cursor.integer();
    event.microBatches = cursor.integer();
    event.seconds = cursor.number();
    return event;
}

StepDone stepIn(RowCursor& cursor)
{
    auto step = eventAt<StepDone>(cursor);
    step.windowSamples = cursor.integer();
    step.loss = cursor.number();
    step.learningRate = cursor.number();
    step.gradientNorm = cursor.number();
    step.stepMs = cursor.number();
    step.dataMs = cursor.number();
    step.forwardMs = cursor.number();
    step.backwardMs = cursor.number();
    step.optimizerMs = cursor.number();
    step.peakBytes = cursor.integer();
    return step;
}

EpochDone epochIn(RowCursor& cursor)
{
    auto epoch = eventAt<EpochDone>(cursor);
    epoch.trainLoss = cursor.number();
    epoch.trainAccuracy = cursor.number();
    return epoch;
}

Evaluated evaluationIn(RowCursor& cursor)
{
    auto evaluation = eventAt<Evaluated>(cursor);
    evaluation.testLoss = cursor.number();
    evaluation.testAccuracy = cursor.number();
    evaluation.validationLoss = cursor.optional();
    evaluation.validationAccuracy = cursor.optional();
    return evaluation;
}

// Reads a table of the run's course in its order and notes what is not superseded.
class Replay {
public:
    Replay(SQLite::Database& database, RunId run)
        : m_database(database)
        , m_run(run)
        , m_superseded(database, run)
    {
    }

    template <typename Event>
    void notice(LoggedProgress& progress, const std::string& rest, Event (*read)(RowCursor&))
    {
        SQLite::Statement select(
            m_database, kPlace + rest + " WHERE run_id = ? ORDER BY step, micro_batches, attempt");
        select.bind(1, numberOf(m_run));
        while (select.executeStep()) {
            RowCursor cursor(select);
            const std::int64_t attempt = cursor.integer();
            const Event event = read(cursor);
            if (!m_superseded.contains(attempt, event.microBatches))
                note(progress, event);
        }
    }

private:
    SQLite::Database& m_database;
    RunId m_run;
    SupersededRows m_superseded;
};

// What is damaged would be counted and get a checksum that says it is whole.
void requireWhole(LogConnection& connection, RunId run)
{
    DamageFinder finder(connection.database());
    std::vector<LogDamage> damage;
    for (const CheckedTable table : checkedTables())
        for (LogDamage& found : finder.inTable(run, table).damage)
            damage.push_back(std::move(found));
    if (!damage.empty())
        throw damageOf(connection.file(), describe(damage));
}

int countAttempt(SQLite::Database& database, RunId run)
{
    SQLite::Statement update(database,
        "UPDATE runs SET attempt = attempt + 1, outcome = NULL, ended_ms = NULL, message = '',"
        " paused = 0, host = ?, boot_id = ?, pid = ?, program_version = ?, code_revision = ?"
        " WHERE id = ? RETURNING attempt");
    update.bind(1, thisMachine().host);
    update.bind(2, thisMachine().bootId);
    update.bind(3, static_cast<std::int64_t>(getpid()));
    update.bind(4, programVersion());
    update.bind(5, codeRevision());
    update.bind(6, numberOf(run));
    update.executeStep();
    return update.getColumn(0).getInt();
}

void forgetSummaries(SQLite::Database& database, RunId run)
{
    SQLite::Statement remove(database, "DELETE FROM summaries WHERE run_id = ?");
    remove.bind(1, numberOf(run));
    remove.exec();
}

std::string beginningText(int attempt, const ResumePoint& from)
{
    return "Resumed as attempt " + std::to_string(attempt) + " from "
        + (from.microBatches == 0 ? "the beginning" : "step " + formatCount(from.step));
}

// A process that dies may take rows with it that its checkpoint goes beyond.
std::string lossText(std::int64_t lastStep)
{
    return "; the steps after " + formatCount(lastStep) + " up to it were never written to the log";
}

void requireLength(const RunRecord& run, const ResumePoint& from, const Experiment& now)
{
    const Findings findings =
        checkLength(run.experiment, now, std::max<std::int64_t>(1, run.trainSamples), from.step,
            run.outcome == RunOutcome::Completed);
    if (!findings.empty())
        throw RunLogError(findings.front().message);
}

// The settings of the attempt become the run's. Returns which are others than before.
std::string takeSettings(LogConnection& connection, const RunRecord& run, Experiment now)
{
    // Threads that the recipe left open are named in a run that begins again.
    if (!run.experiment.run.threads && now.run.threads == run.threads)
        now.run.threads.reset();
    now.name = run.experiment.name;
    const Settings before = settingsOf(run.experiment);
    const Settings after = settingsOf(now);
    std::string changes;
    for (std::size_t i = 0; i < after.size(); ++i)
        if (after[i] != before[i])
            changes += "; " + after[i].first + " is now " + shownSetting(after[i].second)
                + ", before " + shownSetting(before[i].second);
    if (!changes.empty())
        replaceRecipe(connection, run.id, now);
    return changes;
}

} // namespace

LoggedProgress progressInRows(SQLite::Database& database, RunId run)
{
    LoggedProgress progress;
    Replay replay(database, run);
    replay.notice(progress,
        ", window_samples, loss, learning_rate, gradient_norm, step_ms, data_ms, forward_ms,"
        " backward_ms, optimizer_ms, peak_bytes FROM steps",
        stepIn);
    replay.notice(progress, ", train_loss, train_accuracy FROM epochs", epochIn);
    replay.notice(progress,
        std::string(", test_loss, test_accuracy")
            + (versionOf(database).version < 2 ? ", NULL, NULL"
                                               : ", validation_loss, validation_accuracy")
            + " FROM evaluations",
        evaluationIn);
    return progress;
}

ResumableRun requireResumable(LogConnection& connection, RunId run, const ResumePoint& from,
    const std::optional<Experiment>& now)
{
    ExperimentCache recipes;
    std::vector<StoredRun> found = readRuns(connection.database(), recipes, run);
    if (found.empty())
        throw RunLogError("There is no run #" + std::to_string(numberOf(run)) + " in "
            + connection.file().string() + ".");
    StoredRun& stored = found.front();
    const bool alive = connection.isMine(run) || connection.isAliveElsewhere(run);
    stored.record.state = alive ? RunState::Running : stateOf(stored, false);
    const bool longer = stored.record.outcome == RunOutcome::Completed && now;
    if (const std::string why =
            whyNotResumable(stored.record, longer ? Length::Longer : Length::AsBefore);
        !why.empty())
        throw RunLogError(why);
    if (now)
        requireLength(stored.record, from, *now);
    requireWhole(connection, run);
    return { stored.record, tokenOf(connection.database(), run) };
}

LoggedProgress beginAttempt(LogConnection& connection, const ResumableRun& resumed,
    const ResumePoint& from, const std::optional<Experiment>& now)
{
    SQLite::Database& database = connection.database();
    const RunId run = resumed.record.id;
    const int attempt = countAttempt(database, run);
    insertAttempt(database, run, attempt, from);
    LoggedProgress progress = progressInRows(database, run);
    const bool whole = progress.step >= from.step;
    const std::string text = beginningText(attempt, from)
        + (now ? takeSettings(connection, resumed.record, *now) : std::string())
        + (whole ? "" : lossText(progress.step));
    progress.attempt = attempt;
    progress.step = from.step;
    progress.samples = from.samples;
    progress.microBatches = from.microBatches;
    progress.epoch = from.epoch;
    progress.seconds = from.seconds;
    forgetSummaries(database, run);
    connection.rows().writeSummary(run, progress);
    connection.rows().writeContinued(run, progress,
        whole ? RunMessage::Severity::Information : RunMessage::Severity::Warning, text);
    return progress;
}

} // namespace accrue
