// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/format_6.h"

#include "engine/runlog/checked_table.h"
#include "engine/runlog/row_seals.h"
#include "engine/runlog/run_log_error.h"

#include <optional>
#include <string>
#include <vector>

#include <sqlite3.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

constexpr const char* kWhat = "Bringing the run log to format 6";

// A CHECK cannot be added: the tables are made anew and take the old ones' names.
constexpr const char* kTables = R"sql(
CREATE TABLE runs_6 (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    attempt INTEGER NOT NULL DEFAULT 1 CHECK (attempt BETWEEN 1 AND 1000000),
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER,
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    outcome TEXT
        CHECK (outcome IN ('completed', 'stopped', 'diverged', 'out_of_memory', 'failed')),
    message TEXT NOT NULL DEFAULT '',
    checkpoint TEXT NOT NULL DEFAULT '',
    recipe TEXT NOT NULL,
    host TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program_version TEXT NOT NULL,
    code_revision TEXT NOT NULL,
    torch_version TEXT NOT NULL DEFAULT '',
    cuda_version TEXT NOT NULL DEFAULT '',
    device TEXT NOT NULL DEFAULT '',
    device_name TEXT NOT NULL DEFAULT '',
    threads INTEGER NOT NULL DEFAULT 0 CHECK (threads >= 0),
    memory_format TEXT NOT NULL DEFAULT '',
    data_description TEXT NOT NULL DEFAULT '',
    data_identity TEXT NOT NULL DEFAULT '',
    train_samples INTEGER NOT NULL DEFAULT 0 CHECK (train_samples >= 0),
    test_samples INTEGER NOT NULL DEFAULT 0 CHECK (test_samples >= 0),
    parameters INTEGER NOT NULL DEFAULT 0 CHECK (parameters >= 0),
    batch_effective INTEGER NOT NULL CHECK (batch_effective >= 0),
    batch_micro INTEGER NOT NULL CHECK (batch_micro >= 0),
    batch_steps INTEGER NOT NULL CHECK (batch_steps >= 0),
    batch_devices INTEGER NOT NULL CHECK (batch_devices >= 0),
    batch_solved TEXT NOT NULL,
    smallest_slice INTEGER NOT NULL CHECK (smallest_slice >= 0),
    epoch_samples INTEGER NOT NULL DEFAULT 0 CHECK (epoch_samples >= 0),
    epoch_windows INTEGER NOT NULL DEFAULT 0 CHECK (epoch_windows >= 0),
    epoch_tail_samples INTEGER NOT NULL DEFAULT 0 CHECK (epoch_tail_samples >= 0),
    epoch_micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (epoch_micro_batches >= 0),
    total_steps INTEGER NOT NULL DEFAULT 0 CHECK (total_steps >= 0),
    step INTEGER NOT NULL DEFAULT 0 CHECK (step >= 0),
    samples INTEGER NOT NULL DEFAULT 0 CHECK (samples >= 0),
    micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (micro_batches >= 0),
    epoch INTEGER NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    seconds ANY NOT NULL DEFAULT 0.0,
    peak_bytes INTEGER NOT NULL DEFAULT 0 CHECK (peak_bytes >= 0),
    last_loss ANY,
    final_train_loss ANY,
    final_train_accuracy ANY,
    final_test_loss ANY,
    final_test_accuracy ANY,
    best_test_accuracy ANY,
    final_validation_loss ANY,
    final_validation_accuracy ANY,
    best_validation_accuracy ANY,
    best_step INTEGER NOT NULL DEFAULT 0 CHECK (best_step >= 0),
    best_metric TEXT AS (CASE
        WHEN best_validation_accuracy IS NOT NULL THEN 'validation_accuracy'
        WHEN best_test_accuracy IS NOT NULL THEN 'test_accuracy' END) VIRTUAL
) STRICT;
CREATE TABLE attempts_6 (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    from_step INTEGER NOT NULL DEFAULT 0 CHECK (from_step >= 0),
    from_samples INTEGER NOT NULL DEFAULT 0 CHECK (from_samples >= 0),
    from_micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (from_micro_batches >= 0),
    from_epoch INTEGER NOT NULL DEFAULT 0 CHECK (from_epoch >= 0),
    from_seconds ANY NOT NULL DEFAULT 0.0,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    outcome TEXT
        CHECK (outcome IN ('completed', 'stopped', 'diverged', 'out_of_memory', 'failed')),
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program_version TEXT NOT NULL,
    code_revision TEXT NOT NULL,
    torch_version TEXT NOT NULL DEFAULT '',
    cuda_version TEXT NOT NULL DEFAULT '',
    device TEXT NOT NULL DEFAULT '',
    device_name TEXT NOT NULL DEFAULT '',
    threads INTEGER NOT NULL DEFAULT 0 CHECK (threads >= 0),
    PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_6 (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    step INTEGER NOT NULL CHECK (step >= 0),
    phase TEXT NOT NULL
        CHECK (phase IN ('data', 'forward', 'backward', 'optimizer', 'evaluation')),
    micro_batch INTEGER NOT NULL CHECK (micro_batch >= 0),
    position INTEGER NOT NULL CHECK (position >= 0),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    seconds ANY NOT NULL,
    samples INTEGER NOT NULL CHECK (samples >= 0),
    begin_bytes INTEGER NOT NULL CHECK (begin_bytes >= 0),
    end_bytes INTEGER NOT NULL CHECK (end_bytes >= 0),
    peak_bytes INTEGER NOT NULL CHECK (peak_bytes >= 0),
    peak_data_set INTEGER NOT NULL,
    peak_parameters INTEGER NOT NULL,
    peak_gradients INTEGER NOT NULL,
    peak_optimizer_state INTEGER NOT NULL,
    peak_average INTEGER NOT NULL,
    peak_buffers INTEGER NOT NULL,
    peak_input INTEGER NOT NULL,
    peak_activations INTEGER NOT NULL,
    peak_workspace INTEGER NOT NULL,
    end_data_set INTEGER NOT NULL,
    end_parameters INTEGER NOT NULL,
    end_gradients INTEGER NOT NULL,
    end_optimizer_state INTEGER NOT NULL,
    end_average INTEGER NOT NULL,
    end_buffers INTEGER NOT NULL,
    end_input INTEGER NOT NULL,
    end_activations INTEGER NOT NULL,
    end_workspace INTEGER NOT NULL,
    cached_bytes INTEGER NOT NULL,
    other_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, phase, micro_batch)
) STRICT, WITHOUT ROWID;
CREATE TABLE checksums (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    first_step INTEGER NOT NULL,
    last_step INTEGER NOT NULL CHECK (last_step >= first_step),
    row_count INTEGER NOT NULL CHECK (row_count >= 1),
    checksum INTEGER NOT NULL,
    column_names TEXT NOT NULL,
    PRIMARY KEY (run_id, table_name, attempt, first_step)
) STRICT, WITHOUT ROWID;
DROP INDEX markers_of_run;
CREATE INDEX markers_of_run ON markers (run_id, attempt, step);
CREATE INDEX epochs_of_attempt ON epochs (run_id, attempt, step);
)sql";

[[noreturn]] void refuse(const SQLite::Database& database, const std::string& why)
{
    throw RunLogError("The run log " + database.getFilename()
            + " cannot be brought to format 6: " + why
            + ". It was left as it is. It can still be viewed and exported; to train, choose"
              " another log with --db.",
        RunLogError::Kind::Damaged);
}

std::string columnsOf(SQLite::Database& database, const std::string& table)
{
    SQLite::Statement select(database,
        "SELECT group_concat('\"' || replace(name, '\"', '\"\"') || '\"') FROM"
        " pragma_table_info(?)");
    select.bind(1, table);
    select.executeStep();
    return select.getColumn(0).getString();
}

std::vector<std::int64_t> runsIn(
    SQLite::Database& database, const std::string& table, const std::string& key)
{
    SQLite::Statement select(database, "SELECT DISTINCT " + key + " FROM " + table);
    std::vector<std::int64_t> runs;
    while (select.executeStep())
        runs.push_back(select.getColumn(0).getInt64());
    return runs;
}

// Not by an index, which a damaged table may not match.
std::int64_t countIn(SQLite::Database& database, const std::string& table)
{
    return database.execAndGet("SELECT count(*) FROM " + table + " NOT INDEXED").getInt64();
}

// The table's rows into the one that is to take its place, run by run. `progress` is told shares of
// the whole copy.
void copyRows(SQLite::Database& database, CheckedTable table, const LogProgress& progress)
{
    const std::string name(nameOf(table));
    const std::string key = table == CheckedTable::Runs ? "id" : "run_id";
    const std::string columns = columnsOf(database, name);
    SQLite::Statement copy(database,
        "INSERT INTO " + name + "_6 (" + columns + ") SELECT " + columns + " FROM " + name
            + " WHERE " + key + " = ?");
    const std::vector<std::int64_t> runs = runsIn(database, name, key);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        copy.bind(1, runs[i]);
        try {
            copy.exec();
        } catch (const SQLite::Exception& error) {
            if (error.getErrorCode() != SQLITE_CONSTRAINT)
                throw;
            refuse(database,
                "run #" + std::to_string(runs[i]) + " has a value in the table " + name
                    + " that cannot be (" + error.what() + ")");
        }
        copy.reset();
        if (progress)
            progress(static_cast<double>(i + 1) / static_cast<double>(runs.size()), kWhat);
    }
    if (countIn(database, name) != countIn(database, name + "_6"))
        refuse(database, "the table " + name + " is damaged, not all of its rows are found");
}

void takePlaceOf(SQLite::Database& database, CheckedTable table)
{
    const std::string name(nameOf(table));
    database.exec("DROP TABLE " + name);
    database.exec("ALTER TABLE " + name + "_6 RENAME TO " + name);
}

// No run is ever given a number twice, also not one that was deleted.
void replaceRuns(SQLite::Database& database)
{
    SQLite::Statement select(database, "SELECT max(seq) FROM sqlite_sequence WHERE name = 'runs'");
    select.executeStep();
    const std::int64_t last = select.getColumn(0).getInt64();
    select.reset();
    takePlaceOf(database, CheckedTable::Runs);
    database.exec("DELETE FROM sqlite_sequence WHERE name = 'runs'");
    SQLite::Statement insert(
        database, "INSERT INTO sqlite_sequence (name, seq) VALUES ('runs', ?)");
    insert.bind(1, last);
    insert.exec();
}

void requireParents(SQLite::Database& database)
{
    SQLite::Statement check(database, "PRAGMA foreign_key_check");
    if (!check.executeStep())
        return;
    const auto table = checkedTableNamed(check.getColumn(0).getString());
    refuse(database,
        table ? "the table " + std::string(nameOf(*table)) + " has rows of a run that is not there"
              : "it has rows of a run that is not there");
}

double shareOfCopying(SQLite::Database& database)
{
    const double copied = database.execAndGet("SELECT count(*) FROM memory").getDouble();
    const double others = database.execAndGet("SELECT count(*) FROM steps").getDouble() + 1;
    return copied / (2 * copied + others); // a row of memory is copied and read for its checksum
}

} // namespace

void bringToFormat6(SQLite::Database& database, const LogProgress& progress)
{
    database.exec(kTables);
    const double copying = progress ? shareOfCopying(database) : 0;
    const auto part = [&](double from, double width) -> LogProgress {
        if (!progress)
            return {};
        return [=, &progress](
                   double share, const std::string& what) { progress(from + width * share, what); };
    };
    copyRows(database, CheckedTable::Runs, {});
    copyRows(database, CheckedTable::Attempts, {});
    copyRows(database, CheckedTable::Memory, part(0, copying));
    replaceRuns(database);
    takePlaceOf(database, CheckedTable::Attempts);
    takePlaceOf(database, CheckedTable::Memory);
    requireParents(database);
    RowSeals(database).writeAll(part(copying, 1 - copying), kWhat);
}

} // namespace accrue
