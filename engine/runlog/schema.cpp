// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/schema.h"

#include "engine/runlog/checked_table.h"
#include "engine/runlog/format_6.h"
#include "engine/runlog/run_log_error.h"
#include "engine/runlog/sql_guard.h"

#include <string>
#include <system_error>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace {

// Doubles that may be non-finite are ANY: see stored_number.h. docs/run_log_format.md explains
// every column.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    attempt INTEGER NOT NULL DEFAULT 1,
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
    threads INTEGER NOT NULL DEFAULT 0,
    data_description TEXT NOT NULL DEFAULT '',
    train_samples INTEGER NOT NULL DEFAULT 0,
    test_samples INTEGER NOT NULL DEFAULT 0,
    parameters INTEGER NOT NULL DEFAULT 0,
    batch_effective INTEGER NOT NULL,
    batch_micro INTEGER NOT NULL,
    batch_steps INTEGER NOT NULL,
    batch_devices INTEGER NOT NULL,
    batch_solved TEXT NOT NULL,
    smallest_slice INTEGER NOT NULL,
    epoch_samples INTEGER NOT NULL DEFAULT 0,
    epoch_windows INTEGER NOT NULL DEFAULT 0,
    epoch_tail_samples INTEGER NOT NULL DEFAULT 0,
    epoch_micro_batches INTEGER NOT NULL DEFAULT 0,
    total_steps INTEGER NOT NULL DEFAULT 0,
    step INTEGER NOT NULL DEFAULT 0,
    samples INTEGER NOT NULL DEFAULT 0,
    micro_batches INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0,
    seconds ANY NOT NULL DEFAULT 0.0,
    peak_bytes INTEGER NOT NULL DEFAULT 0,
    last_loss ANY,
    final_train_loss ANY,
    final_train_accuracy ANY,
    final_test_loss ANY,
    final_test_accuracy ANY,
    best_test_accuracy ANY,
    best_step INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE settings (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('boolean', 'integer', 'number', 'text')),
    value ANY NOT NULL,
    PRIMARY KEY (run_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE steps (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    window_samples INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    loss ANY NOT NULL,
    learning_rate ANY NOT NULL,
    gradient_norm ANY NOT NULL,
    step_ms ANY NOT NULL,
    data_ms ANY NOT NULL,
    forward_ms ANY NOT NULL,
    backward_ms ANY NOT NULL,
    optimizer_ms ANY NOT NULL,
    peak_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, micro_batches, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE epochs (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    seconds ANY NOT NULL,
    train_loss ANY NOT NULL,
    train_accuracy ANY NOT NULL,
    PRIMARY KEY (run_id, epoch, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE evaluations (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    seconds ANY NOT NULL,
    test_loss ANY NOT NULL,
    test_accuracy ANY NOT NULL,
    evaluation_ms ANY NOT NULL,
    PRIMARY KEY (run_id, step, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE markers (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL
        CHECK (kind IN ('checkpoint', 'learning_rate', 'paused', 'resumed', 'message', 'ended')),
    severity TEXT NOT NULL CHECK (severity IN ('information', 'warning', 'error')),
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    time_ms INTEGER NOT NULL,
    value ANY,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX markers_of_run ON markers (run_id);
CREATE TABLE summaries (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    metric TEXT NOT NULL,
    final ANY NOT NULL,
    best ANY NOT NULL,
    best_step INTEGER NOT NULL,
    min ANY NOT NULL,
    max ANY NOT NULL,
    PRIMARY KEY (run_id, metric)
) STRICT, WITHOUT ROWID;
)sql";

// Attempts, the marker of a run that is taken up again, and what samples held out of training say.
// A CHECK cannot be altered: `markers` is made anew; its numbers never begin again.
constexpr const char* kVersion2 = R"sql(
CREATE TABLE attempts (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    from_step INTEGER NOT NULL DEFAULT 0,
    from_samples INTEGER NOT NULL DEFAULT 0,
    from_micro_batches INTEGER NOT NULL DEFAULT 0,
    from_epoch INTEGER NOT NULL DEFAULT 0,
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
    threads INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO attempts (run_id, attempt, started_ms, ended_ms, outcome, host, pid, program_version,
    code_revision, torch_version, cuda_version, device, device_name, threads)
SELECT id, attempt, created_ms, ended_ms, outcome, host, pid, program_version,
    code_revision, torch_version, cuda_version, device, device_name, threads FROM runs;
ALTER TABLE markers RENAME TO markers_1;
CREATE TABLE markers (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN
        ('checkpoint', 'learning_rate', 'paused', 'resumed', 'message', 'ended', 'continued')),
    severity TEXT NOT NULL CHECK (severity IN ('information', 'warning', 'error')),
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    time_ms INTEGER NOT NULL,
    value ANY,
    text TEXT NOT NULL
) STRICT;
INSERT INTO markers SELECT * FROM markers_1;
DELETE FROM sqlite_sequence WHERE name = 'markers';
UPDATE sqlite_sequence SET name = 'markers' WHERE name = 'markers_1';
DROP TABLE markers_1;
CREATE INDEX markers_of_run ON markers (run_id);
ALTER TABLE evaluations ADD COLUMN validation_loss ANY;
ALTER TABLE evaluations ADD COLUMN validation_accuracy ANY;
ALTER TABLE runs ADD COLUMN final_validation_loss ANY;
ALTER TABLE runs ADD COLUMN final_validation_accuracy ANY;
ALTER TABLE runs ADD COLUMN best_validation_accuracy ANY;
ALTER TABLE runs ADD COLUMN best_metric TEXT AS (CASE
    WHEN best_validation_accuracy IS NOT NULL THEN 'validation_accuracy'
    WHEN best_test_accuracy IS NOT NULL THEN 'test_accuracy' END) VIRTUAL;
)sql";

// A parameter after every micro-batch, and how pictures and convolutions lay in memory.
constexpr const char* kVersion3 = R"sql(
CREATE TABLE traces (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    checksum INTEGER NOT NULL,
    value_1 ANY,
    value_2 ANY,
    value_3 ANY,
    value_4 ANY,
    PRIMARY KEY (run_id, step, micro_batches, attempt)
) STRICT, WITHOUT ROWID;
ALTER TABLE runs ADD COLUMN memory_format TEXT NOT NULL DEFAULT '';
)sql";

// What memory was for, and what did not fit. A CHECK cannot be altered: `markers` is made anew, as
// in version 2.
constexpr const char* kVersion4 = R"sql(
CREATE TABLE memory (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    phase TEXT NOT NULL
        CHECK (phase IN ('data', 'forward', 'backward', 'optimizer', 'evaluation')),
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    samples INTEGER NOT NULL,
    begin_bytes INTEGER NOT NULL,
    end_bytes INTEGER NOT NULL,
    peak_bytes INTEGER NOT NULL,
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
CREATE TABLE memory_owners (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    phase TEXT NOT NULL,
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    category TEXT NOT NULL,
    layer TEXT NOT NULL,
    operation TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, phase, micro_batch, position)
) STRICT, WITHOUT ROWID;
ALTER TABLE markers RENAME TO markers_3;
CREATE TABLE markers (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('checkpoint', 'learning_rate', 'paused', 'resumed',
        'message', 'ended', 'continued', 'out_of_memory')),
    severity TEXT NOT NULL CHECK (severity IN ('information', 'warning', 'error')),
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    time_ms INTEGER NOT NULL,
    value ANY,
    text TEXT NOT NULL
) STRICT;
INSERT INTO markers SELECT * FROM markers_3;
DELETE FROM sqlite_sequence WHERE name = 'markers';
UPDATE sqlite_sequence SET name = 'markers' WHERE name = 'markers_3';
DROP TABLE markers_3;
CREATE INDEX markers_of_run ON markers (run_id);
)sql";

// The activations that a forward pass keeps, by layer.
constexpr const char* kVersion5 = R"sql(
CREATE TABLE memory_kept (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    layer TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, micro_batch, position)
) STRICT, WITHOUT ROWID;
)sql";

// What the user says of a run in words to look for.
constexpr const char* kVersion7 = "ALTER TABLE runs ADD COLUMN tags TEXT NOT NULL DEFAULT ''";

// A table that others refer to can be made anew only without them; SQLite ignores the pragma within
// a transaction.
class ForeignKeysOff {
public:
    explicit ForeignKeysOff(SQLite::Database& database)
        : m_database(database)
        , m_before(database.execAndGet("PRAGMA foreign_keys").getInt())
    {
        database.exec("PRAGMA foreign_keys = OFF");
    }
    ~ForeignKeysOff()
    {
        if (m_before != 0)
            m_database.tryExec("PRAGMA foreign_keys = ON");
    }
    ForeignKeysOff(const ForeignKeysOff&) = delete;
    ForeignKeysOff& operator=(const ForeignKeysOff&) = delete;

private:
    SQLite::Database& m_database;
    const int m_before;
};

void runMigration(
    SQLite::Database& database, const Migration& migration, const LogProgress& progress)
{
    database.exec(migration.sql);
    if (migration.rewrite != nullptr)
        migration.rewrite(database, progress);
}

bool isAtLeast(SQLite::Database& database, std::size_t version)
{
    return database.execAndGet("PRAGMA user_version").getInt() >= static_cast<int>(version);
}

} // namespace

const std::vector<Migration>& migrations()
{
    static const std::vector<Migration> list { kVersion1, kVersion2, kVersion3, kVersion4,
        kVersion5, bringToFormat6, kVersion7 };
    return list;
}

int currentVersion()
{
    return static_cast<int>(migrations().size());
}

FileVersion versionOf(SQLite::Database& database)
{
    const int application = database.execAndGet("PRAGMA application_id").getInt();
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    if (application == kApplicationId)
        return { version > 0 ? FileKind::Ours : FileKind::Foreign, version };
    const int objects = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt();
    const bool empty = application == 0 && version == 0 && objects == 0;
    return { empty ? FileKind::Empty : FileKind::Foreign, version };
}

int requireOurs(SQLite::Database& database, const std::filesystem::path& file, int newest)
{
    const FileVersion found = versionOf(database);
    if (found.kind == FileKind::Foreign)
        throw RunLogError("The file " + file.string()
            + " is a database of another program, not a run log; it was left as it is. Name another"
              " file with --db.");
    if (found.version > newest)
        throw RunLogError("The run log " + file.string() + " has format "
            + std::to_string(found.version) + ", made by a newer version of Accrue; this one knows"
            + " formats up to " + std::to_string(newest)
            + ". Install the newer version, or name another log with --db.");
    return found.kind == FileKind::Empty ? 0 : found.version;
}

// A flipped bit in the number would have the file read as an older one, without its checksums.
void requireFormatFits(SQLite::Database& database, const std::filesystem::path& file)
{
    const FileVersion found = versionOf(database);
    const bool checked = database.tableExists("checksums");
    if (found.kind == FileKind::Ours && checked != (found.version >= kChecksumsSinceFormat))
        throw damageOf(file,
            "its format is " + std::to_string(found.version) + ", its tables are not those of it");
}

void migrate(
    SQLite::Database& database, const std::vector<Migration>& list, const LogProgress& progress)
{
    if (isAtLeast(database, list.size()))
        return;
    const ForeignKeysOff rebuilding(database);
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const int from = database.execAndGet("PRAGMA user_version").getInt();
    for (std::size_t i = static_cast<std::size_t>(from); i < list.size(); ++i)
        runMigration(database, list[i], progress);
    // A pragma takes no bound value; both are numbers of this program.
    database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    database.exec("PRAGMA user_version = " + std::to_string(list.size()));
    transaction.commit();
}

std::filesystem::path backUpOf(const std::filesystem::path& file, int version)
{
    std::filesystem::path target = file;
    target += ".backup-v" + std::to_string(version);
    return target;
}

std::filesystem::path backUp(
    SQLite::Database& database, const std::filesystem::path& file, int version)
{
    std::filesystem::path copy = backUpOf(file, version);
    copy += ".part";
    try {
        std::filesystem::remove(copy);
        SQLite::Statement vacuum(database, "VACUUM INTO ?");
        vacuum.bind(1, copy.string());
        vacuum.exec();
    } catch (const std::exception& error) {
        std::error_code ignored;
        std::filesystem::remove(copy, ignored);
        throw RunLogError("The run log " + file.string()
                + " must be brought to a newer format, but its backup copy " + copy.string()
                + " cannot be written (" + error.what()
                + "). Nothing was changed; make room and try" + " again.",
            RunLogError::Kind::Machine);
    }
    return copy;
}

} // namespace accrue
