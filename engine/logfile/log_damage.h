// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/checked_rows.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Rows that are missing, or are not what was written.
struct LogDamage {
    std::string table = {}; // empty: the file as a whole
    std::optional<RunId> run = {}; // empty: no run in particular
    std::int64_t attempt = 0; // 0: none in particular
    std::int64_t firstStep = 0; // 0: unknown, or a table without steps
    std::int64_t lastStep = 0;
    std::int64_t rows = 0; // how many rows are affected; 0: unknown
    Message problem = {}; // "the rows do not match the checksum"
};
// "table steps, run #3, attempt 2, steps 65 to 128: the rows do not match their checksum"
Message describe(const LogDamage& damage);
// The first few, followed by "and 7 more".
Message describe(const std::vector<LogDamage>& damage);

// Compares the rows of a log with the table `checksums`. Only for a file of format 6 or newer. All
// methods throw SQLite::Exception, except that rows that SQLite itself finds damaged count as
// damage. Owns prepared statements of `database`, which must outlive it.
class DamageFinder {
public:
    explicit DamageFinder(SQLite::Database& database);

    // In the rows of `runs` of the whole log, including runs that are missing, and rows without a
    // checksum.
    std::vector<LogDamage> inRuns();

    struct Verdict {
        std::vector<LogDamage> damage;
        std::vector<RowRange> whole; // the undamaged batches, in their order
    };
    Verdict inTable(RunId run, CheckedTable table);
    // In all tables of the file's format except `runs`.
    std::vector<LogDamage> inOtherTables(RunId run);

    // In batches whose table does not exist.
    std::vector<LogDamage> inNamesOfTables();

private:
    struct Batch;
    class Reading;
    std::vector<Batch> batchesOf(RunId run, CheckedTable table);
    std::optional<LogDamage> checked(const Batch& batch, CheckedTable table);
    // The difference between a batch as it was read and as it was written; empty: none.
    static std::optional<LogDamage> differenceOf(
        std::int64_t rows, std::int64_t checksum, const Batch& batch);
    std::int64_t countOf(RunId run, CheckedTable table);

    SQLite::Database& m_database;
    KeptRows m_rows;
};

} // namespace accrue
