// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/migrations.h"

#include "engine/logfile/format_6.h"

#include <regex>

// The SQL of every format. What a released format created may never change: a new file runs all
// migrations from the first one, an older file those that it lacks, and both must end with the same
// tables. SQLite cannot add a CHECK to a table. A table that gets one is created again and renamed
// to the old name; the text that both versions share is here once.

namespace accrue {

namespace {

// Before format 6, the tables to which it added bounds had the same columns without bounds.
std::string withoutBounds(const std::string& sql)
{
    static const std::regex kBounds(
        R"( CHECK \((\w+ >= 0|attempt BETWEEN 1 AND 1000000)\))", std::regex::optimize);
    return std::regex_replace(sql, kBounds, "");
}

// Columns of `runs`, in three parts, because later formats add columns between them. Doubles that
// may be non-finite are ANY: see row_binder.h. docs/run_log_format.md explains every column.
constexpr const char* kOriginOfRuns = R"sql(
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
)sql";
constexpr const char* kDataOfRuns = R"sql(
    data_description TEXT NOT NULL DEFAULT '',
)sql";
constexpr const char* kCourseOfRuns = R"sql(
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
)sql";

// Columns of `attempts` and `memory`.
constexpr const char* kAttempts = R"sql(
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
)sql";
constexpr const char* kMemory = R"sql(
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
)sql";

// `laterKinds`: those that were added after the first format.
std::string markersOf(const std::string& laterKinds)
{
    return R"sql(
CREATE TABLE markers (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('checkpoint', 'learning_rate', 'paused', 'resumed',
        'message', 'ended')sql"
        + laterKinds + R"sql()),
    severity TEXT NOT NULL CHECK (severity IN ('information', 'warning', 'error')),
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    time_ms INTEGER NOT NULL,
    value ANY,
    text TEXT NOT NULL
) STRICT;
)sql";
}

constexpr const char* kIndexOfMarkers = "CREATE INDEX markers_of_run ON markers (run_id);";

// The numbers of markers never restart, so the counter moves with the rows.
std::string markersMadeAnew(const std::string& laterKinds)
{
    return "ALTER TABLE markers RENAME TO markers_before;" + markersOf(laterKinds) + R"sql(
INSERT INTO markers SELECT * FROM markers_before;
DELETE FROM sqlite_sequence WHERE name = 'markers';
UPDATE sqlite_sequence SET name = 'markers' WHERE name = 'markers_before';
DROP TABLE markers_before;
)sql" + kIndexOfMarkers;
}

constexpr const char* kOtherTables1 = R"sql(
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

std::string format1()
{
    const std::string columns = std::string(kOriginOfRuns) + kDataOfRuns + kCourseOfRuns;
    return "CREATE TABLE runs (" + withoutBounds(columns)
        + "best_step INTEGER NOT NULL DEFAULT 0) STRICT;" + kOtherTables1 + markersOf("")
        + kIndexOfMarkers;
}

constexpr const char* kFirstAttempts = R"sql(
INSERT INTO attempts (run_id, attempt, started_ms, ended_ms, outcome, host, pid, program_version,
    code_revision, torch_version, cuda_version, device, device_name, threads)
SELECT id, attempt, created_ms, ended_ms, outcome, host, pid, program_version,
    code_revision, torch_version, cuda_version, device, device_name, threads FROM runs;
)sql";
constexpr const char* kValidation = R"sql(
ALTER TABLE evaluations ADD COLUMN validation_loss ANY;
ALTER TABLE evaluations ADD COLUMN validation_accuracy ANY;
ALTER TABLE runs ADD COLUMN final_validation_loss ANY;
ALTER TABLE runs ADD COLUMN final_validation_accuracy ANY;
ALTER TABLE runs ADD COLUMN best_validation_accuracy ANY;
ALTER TABLE runs ADD COLUMN best_metric TEXT AS (CASE
    WHEN best_validation_accuracy IS NOT NULL THEN 'validation_accuracy'
    WHEN best_test_accuracy IS NOT NULL THEN 'test_accuracy' END) VIRTUAL;
)sql";

// Attempts, the marker of a resumed run, and metrics of the samples held out of training.
std::string format2()
{
    return "CREATE TABLE attempts (" + withoutBounds(kAttempts) + kFirstAttempts
        + markersMadeAnew(", 'continued'") + kValidation;
}

// A parameter after every micro-batch, and the memory layout of pictures and convolutions.
constexpr const char* kFormat3 = R"sql(
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

constexpr const char* kMemoryOwners = R"sql(
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
)sql";

// What memory was used for, and what did not fit.
std::string format4()
{
    return "CREATE TABLE memory (" + withoutBounds(kMemory) + kMemoryOwners
        + markersMadeAnew(", 'continued', 'out_of_memory'");
}

// The activations that a forward pass retains, by layer.
constexpr const char* kFormat5 = R"sql(
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

constexpr const char* kLastOfRuns6 = R"sql(
    final_validation_loss ANY,
    final_validation_accuracy ANY,
    best_validation_accuracy ANY,
    best_step INTEGER NOT NULL DEFAULT 0 CHECK (best_step >= 0),
    best_metric TEXT AS (CASE
        WHEN best_validation_accuracy IS NOT NULL THEN 'validation_accuracy'
        WHEN best_test_accuracy IS NOT NULL THEN 'test_accuracy' END) VIRTUAL
) STRICT;
)sql";
constexpr const char* kChecksums = R"sql(
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

// Bounds, and checksums of all rows. format_6.cpp moves the rows.
std::string tablesOfFormat6()
{
    return std::string("CREATE TABLE runs_6 (") + kOriginOfRuns
        + "memory_format TEXT NOT NULL DEFAULT ''," + kDataOfRuns
        + "data_identity TEXT NOT NULL DEFAULT ''," + kCourseOfRuns + kLastOfRuns6
        + "CREATE TABLE attempts_6 (" + kAttempts + "CREATE TABLE memory_6 (" + kMemory
        + kChecksums;
}

// The user's words for finding a run.
constexpr const char* kFormat7 = "ALTER TABLE runs ADD COLUMN tags TEXT NOT NULL DEFAULT ''";

// Values of metrics without a column of their own, so that a later metric needs no migration. The
// key begins like that of `steps`, because both are read and checked in the order of their steps.
constexpr const char* kFormat8 = R"sql(
CREATE TABLE metric_values (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    step INTEGER NOT NULL CHECK (step >= 0),
    micro_batches INTEGER NOT NULL CHECK (micro_batches >= 0),
    samples INTEGER NOT NULL CHECK (samples >= 0),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    seconds ANY NOT NULL,
    metric TEXT NOT NULL,
    rank INTEGER NOT NULL CHECK (rank >= 0),
    value ANY NOT NULL,
    PRIMARY KEY (run_id, step, micro_batches, attempt, metric, rank)
) STRICT, WITHOUT ROWID;
)sql";

// The code and arguments of a message beside its English text, so that it is shown in the reader's
// language. Existing rows get no code: their text is shown as it is. No row is rewritten, and the
// checksums of old rows stay valid, because each names the columns that it covers.
constexpr const char* kFormat9 = R"sql(
ALTER TABLE markers ADD COLUMN code TEXT NOT NULL DEFAULT '';
ALTER TABLE markers ADD COLUMN arguments TEXT NOT NULL DEFAULT '{}';
ALTER TABLE runs ADD COLUMN message_code TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN message_arguments TEXT NOT NULL DEFAULT '{}';
ALTER TABLE runs ADD COLUMN data_description_code TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN data_description_arguments TEXT NOT NULL DEFAULT '{}';
)sql";

// Where the numbers of parameters and of their gradients lay. `counts` is a list in JSON. The key
// is that of `steps`, and the index finds one parameter among all.
constexpr const char* kHistograms = R"sql(
CREATE TABLE histograms (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    step INTEGER NOT NULL CHECK (step >= 0),
    micro_batches INTEGER NOT NULL CHECK (micro_batches >= 0),
    samples INTEGER NOT NULL CHECK (samples >= 0),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    seconds ANY NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    parameter TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('value', 'gradient')),
    least ANY NOT NULL,
    largest ANY NOT NULL,
    mean ANY NOT NULL,
    deviation ANY NOT NULL,
    not_finite INTEGER NOT NULL CHECK (not_finite >= 0),
    counts TEXT NOT NULL,
    PRIMARY KEY (run_id, step, micro_batches, attempt, parameter, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX histograms_of_parameter ON histograms (run_id, parameter, kind, position);
)sql";

// Sweeps and the queue, and runs of other programs. A run of the queue has its row in `runs` from
// the moment at which it is added; `queue` is what remains to be done. Positions are REAL, so that
// a run moves between two others without a change of theirs. The only row of `queue_hold` holds
// all.
constexpr const char* kFormat10 = R"sql(
CREATE TABLE sweeps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    definition TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE queue (
    run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    position REAL NOT NULL,
    held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
    begun INTEGER NOT NULL DEFAULT 0 CHECK (begun IN (0, 1)),
    failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
    rungs TEXT NOT NULL DEFAULT '',
    rung INTEGER NOT NULL DEFAULT 0 CHECK (rung >= 0),
    stop INTEGER NOT NULL DEFAULT 0 CHECK (stop IN (0, 1)),
    predicted_bytes ANY,
    predicted_seconds ANY,
    added_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE queue_hold (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    held INTEGER NOT NULL CHECK (held IN (0, 1))
) STRICT;
ALTER TABLE runs ADD COLUMN source TEXT NOT NULL DEFAULT 'accrue'
    CHECK (source IN ('accrue', 'script', 'tensorboard', 'csv'));
ALTER TABLE runs ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN ended_early TEXT NOT NULL DEFAULT ''
    CHECK (ended_early IN ('', 'rule', 'patience', 'halving'));
ALTER TABLE runs ADD COLUMN sweep_id INTEGER REFERENCES sweeps (id);
CREATE INDEX runs_of_sweep ON runs (sweep_id);
)sql";

} // namespace

const std::vector<Migration>& migrations()
{
    static const std::vector<Migration> list { format1(), format2(), kFormat3, format4(), kFormat5,
        { tablesOfFormat6(), moveToFormat6 }, kFormat7, kFormat8, kFormat9,
        std::string(kFormat10) + kHistograms };
    return list;
}

int currentVersion()
{
    return static_cast<int>(migrations().size());
}

} // namespace accrue
