// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_rows.h"

#include "engine/events/event_json.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/run_name.h"
#include "engine/logfile/checked_table.h"
#include "engine/logfile/query.h"
#include "engine/logfile/queue_rows.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/setting_rows.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/program_version.h"
#include "engine/runlog/this_machine.h"
#include "engine/runs/run_tags.h"

#include <array>

#include <unistd.h>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

constexpr const char* kSelectRuns =
    "SELECT id, name, note, archived, attempt, created_ms, ended_ms, paused, outcome,"
    " checkpoint, recipe, host, boot_id, program_version, code_revision, torch_version,"
    " cuda_version, device, device_name, threads, train_samples, test_samples, parameters,"
    " batch_effective, batch_micro, batch_steps, batch_devices, batch_solved,"
    " smallest_slice, epoch_samples, epoch_windows, epoch_tail_samples, epoch_micro_batches,"
    " total_steps, step, samples, micro_batches, epoch, seconds";

// Columns of later formats, and what is used instead in a file without them. The micro-batch in
// force in an attempt is in a marker.
struct LaterColumns {
    int since;
    const char* columns;
    const char* instead;
};
constexpr std::array kLaterColumns {
    LaterColumns { 3, "memory_format", "''" },
    LaterColumns { 4, "EXISTS (SELECT 1 FROM memory WHERE run_id = runs.id)", "0" },
    LaterColumns { 4,
        "(SELECT value FROM markers WHERE run_id = runs.id AND attempt = runs.attempt"
        " AND kind = 'out_of_memory' ORDER BY sequence DESC LIMIT 1)",
        "NULL" },
    LaterColumns { kChecksumsSinceFormat, "data_identity", "''" },
    LaterColumns { 7, "tags", "''" },
    LaterColumns { kMessageCodesSinceFormat,
        "message, message_code, message_arguments, data_description, data_description_code,"
        " data_description_arguments",
        "message, '', '{}', data_description, '', '{}'" },
    LaterColumns { kQueueSinceFormat, "source, origin, coalesce(sweep_id, 0), ended_early",
        "'accrue', '', 0, ''" },
    LaterColumns { kQueueSinceFormat,
        "CASE WHEN source <> 'accrue' THEN (SELECT checksum FROM checksums WHERE run_id = runs.id"
        " AND table_name = 'settings') END",
        "NULL" },
};

std::string selectRuns(SQLite::Database& database)
{
    const int version = formatOf(database);
    std::string columns = kSelectRuns + (", " + nameOf(MetricId::PeakBytes)) + ", best_step";
    for (const RunResult& result : runResults())
        columns += ", " + (infoOf(result.metric).sinceFormat > version ? "NULL" : result.column);
    for (const LaterColumns& later : kLaterColumns)
        columns += std::string(", ") + (version < later.since ? later.instead : later.columns);
    return columns + " FROM runs WHERE ?1 IS NULL OR id = ?1 ORDER BY id DESC";
}

// A recipe is parsed once per attempt: lists of thousands of runs are read again at every commit.
const Experiment& experimentOf(
    ExperimentCache& cache, const RunRecord& record, const std::string& recipe)
{
    const std::int64_t id = numberOf(record.id);
    CachedExperiment& known = cache[id];
    if (known.attempt != record.attempt)
        known = { .attempt = record.attempt,
            .experiment = parseRecipe(recipe, "run " + std::to_string(id)).experiment,
            .sealOfSettings = {},
            .settings = {} };
    return known.experiment;
}

void readIdentity(Query& row, StoredRun& run, ExperimentCache& cache)
{
    RunRecord& record = run.record;
    row.read(record.id, record.name, record.note, record.archived, record.attempt, record.createdMs,
        record.endedMs, run.paused);
    // The file may be written by anybody, and a name is shown everywhere.
    record.name = cutToRunName(record.name);
    record.outcome = enumNamed(row.text(), RunOutcome::Failed);
    record.state = record.outcome ? RunState::Finished : RunState::Unknown;
    row.read(record.checkpoint);
    record.experiment = experimentOf(cache, record, row.text());
    row.read(record.host, run.bootId, record.programVersion, record.codeRevision,
        record.torchVersion, record.cudaVersion, record.device, record.deviceName, record.threads,
        record.trainSamples, record.testSamples, record.parameters);
}

void readPlan(Query& row, RunRecord& record)
{
    BatchPlan& plan = record.plan;
    EpochPlan& epoch = record.epochPlan;
    row.read(plan.effective, plan.micro, plan.steps, plan.devices);
    record.experiment = withDevicesFound(std::move(record.experiment), plan.devices);
    plan.solved =
        enumNamed(row.text(), BatchPlan::Solved::Devices).value_or(BatchPlan::Solved::None);
    row.read(plan.smallestSlice, epoch.samples, epoch.windows, epoch.tailSamples,
        epoch.microBatches, record.totalSteps);
}

// 0 also for a number that cannot be part of a window of `effective` samples, because the file may
// be anybody's. NaN fails both comparisons.
std::int64_t cutMicroOf(double stored, std::int64_t effective)
{
    const bool isPart = stored >= 1 && stored < static_cast<double>(effective);
    return isPart ? static_cast<std::int64_t>(stored) : 0;
}

void readProgress(Query& row, RunRecord& record)
{
    row.read(record.step, record.samples, record.microBatches, record.epoch, record.seconds,
        record.peakBytes, record.bestStep);
    for (const RunResult& result : runResults())
        row.read(record.*result.value);
    row.read(record.memoryFormat, record.metered);
    record.cutMicro = cutMicroOf(row.optional().value_or(0), record.plan.effective);
    record.data = parseDataIdentity(row.text()).value_or(DataIdentity {});
    record.tags = tagsIn(row.text());
    row.read(record.message, record.dataDescription);
    record.source = enumNamed(row.text(), RunSource::Csv).value_or(RunSource::Script);
    row.read(record.origin, record.sweep);
    record.early = enumNamed(row.text(), EarlyEnd::Halving).value_or(EarlyEnd::None);
    record.throughput =
        record.seconds > 0 ? static_cast<double>(record.samples) / record.seconds : 0;
}

// What a run without a recipe was logged with. Lists of thousands of runs are read again at every
// commit, and these hardly ever change.
void readLogged(SQLite::Database& database, Query& row, RunRecord& record, ExperimentCache& cache)
{
    const std::optional<double> seal = row.optional();
    if (hasRecipe(record) || !seal)
        return;
    CachedExperiment& known = cache[numberOf(record.id)];
    if (known.sealOfSettings != seal)
        known.settings = readSettings(database, record.id);
    known.sealOfSettings = seal;
    record.settings = known.settings;
}

void insertSettings(SQLite::Database& database, RunId run, const Experiment& experiment)
{
    static constexpr std::array kKinds { "boolean", "integer", "number", "text" };
    SQLite::Statement insert(
        database, insertText("INSERT INTO settings", { "run_id", "key", "kind", "value" }));
    for (const auto& [key, value] : settingsOf(experiment)) {
        RowBinder row(insert);
        // The kind is stored, because SQLite would return a boolean as an integer.
        row.bind(run, key, kKinds.at(value.index()));
        std::visit([&](const auto& each) { row.bind(each); }, value);
        row.run();
    }
}

} // namespace

RunState stateOf(const StoredRun& run, bool alive)
{
    if (run.record.outcome)
        return RunState::Finished;
    if (alive)
        return run.paused ? RunState::Paused : RunState::Running;
    if (run.record.queue && !run.record.queue->begun)
        return RunState::Queued;
    const ThisMachine& here = thisMachine();
    // Another boot of the same host: its processes have ended. On another host the lock cannot be
    // seen.
    // Either is enough: a host may have got another name since, and each boot has another id.
    const bool wasHere = run.bootId == here.bootId || run.record.host == here.host;
    return wasHere ? RunState::Interrupted : RunState::Unknown;
}

std::vector<StoredRun> readRuns(
    SQLite::Database& database, ExperimentCache& cache, std::optional<RunId> only)
{
    const std::map<RunId, QueuePlace> queue = readQueue(database);
    Query rows(database, selectRuns(database), only);
    std::vector<StoredRun> runs;
    while (rows.next()) {
        StoredRun& run = runs.emplace_back();
        readIdentity(rows, run, cache);
        readPlan(rows, run.record);
        readProgress(rows, run.record);
        readLogged(database, rows, run.record, cache);
        if (const auto place = queue.find(run.record.id); place != queue.end())
            run.record.queue = place->second;
    }
    return runs;
}

bool isForeign(SQLite::Database& database, RunId run)
{
    return formatOf(database) >= kQueueSinceFormat
        && firstOf<int>(database, "SELECT 1 FROM runs WHERE id = ? AND source <> 'accrue'", run);
}

std::string tokenOf(SQLite::Database& database, RunId run)
{
    return firstOf<std::string>(database, "SELECT token FROM runs WHERE id = ?", run).value_or("");
}

RunId insertRunWithoutAttempt(
    SQLite::Database& database, const ResolvedExperiment& resolved, const std::string& token)
{
    const Experiment& experiment = resolved.experiment;
    const BatchPlan& plan = resolved.plan;
    execute(database,
        insertText("INSERT INTO runs",
            { "token", "name", "created_ms", "recipe", "host", "boot_id", "pid", "program_version",
                "code_revision", "batch_effective", "batch_micro", "batch_steps", "batch_devices",
                "batch_solved", "smallest_slice" }),
        token, experiment.name, unixTimeMs(), writeRecipe(experiment), thisMachine().host,
        thisMachine().bootId, getpid(), programVersion(), codeRevision(), plan.effective,
        plan.micro, plan.steps, plan.devices, nameOf(plan.solved), plan.smallestSlice);
    const RunId run { database.getLastInsertRowid() };
    insertSettings(database, run, experiment);
    return run;
}

RunId insertRun(
    SQLite::Database& database, const ResolvedExperiment& resolved, const std::string& token)
{
    const RunId run = insertRunWithoutAttempt(database, resolved, token);
    insertAttempt(database, run, 1, {});
    return run;
}

void beginQueuedRun(LogConnection& connection, RunId run, const ResolvedExperiment& resolved)
{
    SQLite::Database& database = connection.database();
    const BatchPlan& plan = resolved.plan;
    // What was solved since it was added, and the machine that trains it.
    execute(database,
        "UPDATE runs SET host = ?, boot_id = ?, pid = ?, program_version = ?, code_revision = ?,"
        " batch_effective = ?, batch_micro = ?, batch_steps = ?, batch_devices = ?,"
        " batch_solved = ?, smallest_slice = ? WHERE id = ?",
        thisMachine().host, thisMachine().bootId, getpid(), programVersion(), codeRevision(),
        plan.effective, plan.micro, plan.steps, plan.devices, nameOf(plan.solved),
        plan.smallestSlice, run);
    replaceRecipe(connection, run, resolved.experiment);
    insertAttempt(database, run, 1, {});
    execute(database, "UPDATE queue SET begun = 1 WHERE run_id = ?", run);
    connection.seals().touch(run, CheckedTable::Attempts);
    connection.seals().touch(run, CheckedTable::Queue);
}

void replaceRecipe(LogConnection& connection, RunId run, const Experiment& experiment)
{
    SQLite::Database& database = connection.database();
    execute(database, "UPDATE runs SET recipe = ? WHERE id = ?", writeRecipe(experiment), run);
    // Settings that the new recipe does not have must not stay.
    execute(database, "DELETE FROM settings WHERE run_id = ?", run);
    insertSettings(database, run, experiment);
    for (const CheckedTable table : { CheckedTable::Runs, CheckedTable::RunSettings })
        connection.seals().touch(run, table);
}

void insertAttempt(SQLite::Database& database, RunId run, int attempt, const ResumePoint& from)
{
    execute(database,
        insertText("INSERT INTO attempts",
            { "run_id", "attempt", "from_step", "from_samples", "from_micro_batches", "from_epoch",
                "from_seconds", "started_ms", "host", "pid", "program_version", "code_revision" }),
        run, attempt, from.step, from.samples, from.microBatches, from.epoch, from.seconds,
        unixTimeMs(), thisMachine().host, getpid(), programVersion(), codeRevision());
}

std::vector<RunAttempt> readAttempts(SQLite::Database& database, RunId run)
{
    if (!database.tableExists("attempts")) // format 1
        return {};
    Query rows(database,
        "SELECT attempt, from_epoch, from_step, from_samples, from_micro_batches, from_seconds,"
        " started_ms, ended_ms, host, device, threads, program_version, code_revision,"
        " torch_version, outcome FROM attempts WHERE run_id = ? ORDER BY attempt",
        run);
    std::vector<RunAttempt> attempts;
    while (rows.next()) {
        RunAttempt& attempt = attempts.emplace_back();
        ResumePoint& from = attempt.from;
        rows.read(attempt.attempt, from.epoch, from.step, from.samples, from.microBatches,
            from.seconds, attempt.startedMs, attempt.endedMs, attempt.host, attempt.device,
            attempt.threads, attempt.programVersion, attempt.codeRevision, attempt.torchVersion);
        attempt.outcome = enumNamed(rows.text(), RunOutcome::Failed);
    }
    return attempts;
}

} // namespace accrue
