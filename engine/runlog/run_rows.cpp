// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_rows.h"

#include "engine/events/event_json.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/run_name.h"
#include "engine/runlog/checked_table.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/program_version.h"
#include "engine/runlog/row_cursor.h"
#include "engine/runlog/run_tags.h"
#include "engine/runlog/schema.h"
#include "engine/runlog/stored_number.h"
#include "engine/runlog/this_machine.h"

#include <unistd.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

BatchPlan::Solved solvedOf(std::string_view word)
{
    using Solved = BatchPlan::Solved;
    for (const Solved solved : { Solved::Effective, Solved::Micro, Solved::Steps, Solved::Devices })
        if (nameOf(solved) == word)
            return solved;
    return Solved::None;
}

std::optional<RunOutcome> outcomeOf(std::string_view word)
{
    for (const RunOutcome outcome : { RunOutcome::Completed, RunOutcome::Stopped,
             RunOutcome::Diverged, RunOutcome::OutOfMemory, RunOutcome::Failed })
        if (nameOf(outcome) == word)
            return outcome;
    return std::nullopt;
}

constexpr const char* kSelectRuns =
    "SELECT id, name, note, archived, attempt, created_ms, ended_ms, paused, outcome, message,"
    " checkpoint, recipe, host, boot_id, program_version, code_revision, torch_version,"
    " cuda_version, device, device_name, threads, data_description, train_samples, test_samples,"
    " parameters, batch_effective, batch_micro, batch_steps, batch_devices, batch_solved,"
    " smallest_slice, epoch_samples, epoch_windows, epoch_tail_samples, epoch_micro_batches,"
    " total_steps, step, samples, micro_batches, epoch, seconds, peak_bytes, last_loss,"
    " final_train_loss, final_train_accuracy, final_test_loss, final_test_accuracy,"
    " best_test_accuracy, best_step";
// Columns of formats 2, 3, 4, 6 and 7.
constexpr const char* kValidation =
    ", final_validation_loss, final_validation_accuracy, best_validation_accuracy";
constexpr const char* kNoValidation = ", NULL, NULL, NULL";
constexpr const char* kMemoryFormat = ", memory_format";
constexpr const char* kNoMemoryFormat = ", ''";
constexpr const char* kDataIdentity = ", data_identity";
constexpr const char* kNoDataIdentity = ", ''";
constexpr const char* kTags = ", tags";
constexpr const char* kNoTags = ", ''";
constexpr const char* kMetered = ", EXISTS (SELECT 1 FROM memory WHERE run_id = runs.id)";
constexpr const char* kNotMetered = ", 0";
// Each attempt tells its cut; formats before 4 know none.
constexpr const char* kCutMicro =
    ", (SELECT value FROM markers WHERE run_id = runs.id AND attempt = runs.attempt"
    " AND kind = 'out_of_memory' ORDER BY sequence DESC LIMIT 1)";
constexpr const char* kNoCutMicro = ", NULL";

std::string selectRuns(SQLite::Database& database)
{
    const int version = versionOf(database).version;
    return std::string(kSelectRuns) + (version < 2 ? kNoValidation : kValidation)
        + (version < 3 ? kNoMemoryFormat : kMemoryFormat) + (version < 4 ? kNotMetered : kMetered)
        + (version < 4 ? kNoCutMicro : kCutMicro)
        + (version < kChecksumsSinceFormat ? kNoDataIdentity : kDataIdentity)
        + (version < 7 ? kNoTags : kTags)
        + " FROM runs WHERE ?1 IS NULL OR id = ?1 ORDER BY id DESC";
}

const Experiment& experimentOf(
    ExperimentCache& cache, const RunRecord& record, const std::string& recipe)
{
    const std::int64_t id = numberOf(record.id);
    CachedExperiment& known = cache[id];
    if (known.attempt != record.attempt)
        known = { record.attempt, parseRecipe(recipe, "run " + std::to_string(id)).experiment };
    return known.experiment;
}

void readIdentity(RowCursor& cursor, StoredRun& run, ExperimentCache& cache)
{
    RunRecord& record = run.record;
    record.id = RunId { cursor.integer() };
    record.name = cutToRunName(cursor.text());
    record.note = cursor.text();
    record.archived = cursor.integer() != 0;
    record.attempt = static_cast<int>(cursor.integer());
    record.createdMs = cursor.integer();
    record.endedMs = cursor.integer();
    run.paused = cursor.integer() != 0;
    record.outcome = outcomeOf(cursor.text());
    record.state = record.outcome ? RunState::Finished : RunState::Unknown;
    record.message = cursor.text();
    record.checkpoint = cursor.text();
    record.experiment = experimentOf(cache, record, cursor.text());
    record.host = cursor.text();
    run.bootId = cursor.text();
}

void readMachine(RowCursor& cursor, RunRecord& record)
{
    record.programVersion = cursor.text();
    record.codeRevision = cursor.text();
    record.torchVersion = cursor.text();
    record.cudaVersion = cursor.text();
    record.device = cursor.text();
    record.deviceName = cursor.text();
    record.threads = static_cast<int>(cursor.integer());
    record.dataDescription = cursor.text();
    record.trainSamples = cursor.integer();
    record.testSamples = cursor.integer();
    record.parameters = cursor.integer();
}

void readPlan(RowCursor& cursor, RunRecord& record)
{
    record.plan.effective = cursor.integer();
    record.plan.micro = cursor.integer();
    record.plan.steps = cursor.integer();
    record.plan.devices = cursor.integer();
    record.plan.solved = solvedOf(cursor.text());
    record.plan.smallestSlice = cursor.integer();
    record.epochPlan.samples = cursor.integer();
    record.epochPlan.windows = cursor.integer();
    record.epochPlan.tailSamples = cursor.integer();
    record.epochPlan.microBatches = cursor.integer();
    record.totalSteps = cursor.integer();
}

void readProgress(RowCursor& cursor, RunRecord& record)
{
    record.step = cursor.integer();
    record.samples = cursor.integer();
    record.microBatches = cursor.integer();
    record.epoch = cursor.integer();
    record.seconds = cursor.number();
    record.peakBytes = cursor.integer();
    record.lastLoss = cursor.optional();
    record.finalTrainLoss = cursor.optional();
    record.finalTrainAccuracy = cursor.optional();
    record.finalTestLoss = cursor.optional();
    record.finalTestAccuracy = cursor.optional();
    record.bestTestAccuracy = cursor.optional();
    record.bestStep = cursor.integer();
    record.finalValidationLoss = cursor.optional();
    record.finalValidationAccuracy = cursor.optional();
    record.bestValidationAccuracy = cursor.optional();
    record.memoryFormat = cursor.text();
    record.metered = cursor.integer() != 0;
    record.cutMicro = static_cast<std::int64_t>(cursor.optional().value_or(0));
    record.data = parseDataIdentity(cursor.text()).value_or(DataIdentity {});
    record.tags = tagsIn(cursor.text());
    record.throughput =
        record.seconds > 0 ? static_cast<double>(record.samples) / record.seconds : 0;
}

void bindSetting(SQLite::Statement& statement, const SettingValue& value)
{
    if (const bool* flag = std::get_if<bool>(&value)) {
        statement.bind(3, "boolean");
        statement.bind(4, *flag ? 1 : 0);
    } else if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) {
        statement.bind(3, "integer");
        statement.bind(4, *integer);
    } else if (const double* number = std::get_if<double>(&value)) {
        statement.bind(3, "number");
        bindNumber(statement, 4, *number);
    } else {
        statement.bind(3, "text");
        statement.bind(4, std::get<std::string>(value));
    }
}

void insertSettings(SQLite::Database& database, RunId run, const Experiment& experiment)
{
    SQLite::Statement insert(
        database, "INSERT INTO settings (run_id, key, kind, value) VALUES (?, ?, ?, ?)");
    for (const auto& [key, value] : settingsOf(experiment)) {
        insert.bind(1, numberOf(run));
        insert.bind(2, key);
        bindSetting(insert, value);
        insert.exec();
        insert.reset();
    }
}

} // namespace

RunState stateOf(const StoredRun& run, bool alive)
{
    if (run.record.outcome)
        return RunState::Finished;
    if (alive)
        return run.paused ? RunState::Paused : RunState::Running;
    const ThisMachine& here = thisMachine();
    const bool wasHere = run.bootId == here.bootId || run.record.host == here.host;
    return wasHere ? RunState::Interrupted : RunState::Unknown;
}

std::vector<StoredRun> readRuns(
    SQLite::Database& database, ExperimentCache& cache, std::optional<RunId> only)
{
    SQLite::Statement select(database, selectRuns(database));
    if (only)
        select.bind(1, numberOf(*only));
    std::vector<StoredRun> runs;
    while (select.executeStep()) {
        RowCursor cursor(select);
        StoredRun& run = runs.emplace_back();
        readIdentity(cursor, run, cache);
        readMachine(cursor, run.record);
        readPlan(cursor, run.record);
        readProgress(cursor, run.record);
    }
    return runs;
}

std::string tokenOf(SQLite::Database& database, RunId run)
{
    SQLite::Statement select(database, "SELECT token FROM runs WHERE id = ?");
    select.bind(1, numberOf(run));
    return select.executeStep() ? select.getColumn(0).getString() : std::string();
}

RunId insertRun(SQLite::Database& database, const Experiment& experiment, const std::string& token)
{
    const BatchPlan plan = solveBatch(experiment).plan.value_or(BatchPlan {});
    SQLite::Statement insert(database,
        "INSERT INTO runs (token, name, created_ms, recipe, host, boot_id, pid, program_version,"
        " code_revision, batch_effective, batch_micro, batch_steps, batch_devices, batch_solved,"
        " smallest_slice) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, token);
    insert.bind(2, experiment.name);
    insert.bind(3, unixTimeMs());
    insert.bind(4, writeRecipe(experiment));
    insert.bind(5, thisMachine().host);
    insert.bind(6, thisMachine().bootId);
    insert.bind(7, static_cast<std::int64_t>(getpid()));
    insert.bind(8, programVersion());
    insert.bind(9, codeRevision());
    insert.bind(10, plan.effective);
    insert.bind(11, plan.micro);
    insert.bind(12, plan.steps);
    insert.bind(13, plan.devices);
    insert.bind(14, std::string(nameOf(plan.solved)));
    insert.bind(15, plan.smallestSlice);
    insert.exec();
    const RunId run { database.getLastInsertRowid() };
    insertSettings(database, run, experiment);
    insertAttempt(database, run, 1, {});
    return run;
}

void replaceRecipe(LogConnection& connection, RunId run, const Experiment& experiment)
{
    SQLite::Database& database = connection.database();
    SQLite::Statement update(database, "UPDATE runs SET recipe = ? WHERE id = ?");
    update.bind(1, writeRecipe(experiment));
    update.bind(2, numberOf(run));
    update.exec();
    SQLite::Statement remove(database, "DELETE FROM settings WHERE run_id = ?");
    remove.bind(1, numberOf(run));
    remove.exec();
    insertSettings(database, run, experiment);
    for (const CheckedTable table : { CheckedTable::Runs, CheckedTable::RunSettings })
        connection.seals().touch(run, table);
}

void insertAttempt(SQLite::Database& database, RunId run, int attempt, const ResumePoint& from)
{
    SQLite::Statement insert(database,
        "INSERT INTO attempts (run_id, attempt, from_step, from_samples, from_micro_batches,"
        " from_epoch, from_seconds, started_ms, host, pid, program_version, code_revision)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, numberOf(run));
    insert.bind(2, attempt);
    insert.bind(3, from.step);
    insert.bind(4, from.samples);
    insert.bind(5, from.microBatches);
    insert.bind(6, from.epoch);
    bindNumber(insert, 7, from.seconds);
    insert.bind(8, unixTimeMs());
    insert.bind(9, thisMachine().host);
    insert.bind(10, static_cast<std::int64_t>(getpid()));
    insert.bind(11, programVersion());
    insert.bind(12, codeRevision());
    insert.exec();
}

std::vector<RunAttempt> readAttempts(SQLite::Database& database, RunId run)
{
    if (!database.tableExists("attempts")) // format 1
        return {};
    SQLite::Statement select(database,
        "SELECT attempt, from_epoch, from_step, from_samples, from_micro_batches, from_seconds,"
        " started_ms, ended_ms, outcome, host, device, threads, program_version, code_revision,"
        " torch_version FROM attempts WHERE run_id = ? ORDER BY attempt");
    select.bind(1, numberOf(run));
    std::vector<RunAttempt> attempts;
    while (select.executeStep()) {
        RowCursor cursor(select);
        RunAttempt& attempt = attempts.emplace_back();
        attempt.attempt = static_cast<int>(cursor.integer());
        attempt.from.epoch = cursor.integer();
        attempt.from.step = cursor.integer();
        attempt.from.samples = cursor.integer();
        attempt.from.microBatches = cursor.integer();
        attempt.from.seconds = cursor.number();
        attempt.startedMs = cursor.integer();
        attempt.endedMs = cursor.integer();
        attempt.outcome = outcomeOf(cursor.text());
        attempt.host = cursor.text();
        attempt.device = cursor.text();
        attempt.threads = static_cast<int>(cursor.integer());
        attempt.programVersion = cursor.text();
        attempt.codeRevision = cursor.text();
        attempt.torchVersion = cursor.text();
    }
    return attempts;
}

} // namespace accrue
