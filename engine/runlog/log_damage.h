// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/checked_rows.h"
#include "engine/runlog/checked_table.h"
#include "engine/runlog/run_record.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace accrue {

// Rows that are not what was written, or are missing.
struct LogDamage {
    std::string table = {}; // empty: the file as a whole
    std::optional<RunId> run = {}; // empty: no run in particular
    std::int64_t attempt = 0; // 0: none in particular
    std::int64_t firstStep = 0; // 0: not known, or a table without steps
    std::int64_t lastStep = 0;
    std::int64_t rows = 0; // that it is about; 0: not known
    std::string problem = {}; // "the rows do not match their checksum"
};
// "table steps, run #3, attempt 2, steps 65 to 128: the rows do not match their checksum"
std::string describe(const LogDamage& damage);
// Of the first few, with "and 7 more" behind them.
std::string describe(const std::vector<LogDamage>& damage);

// Holds the rows of a log against the table `checksums`. Only for a file of format 6 or newer. All
// throw SQLite::Exception, except that rows that SQLite itself finds damaged are damage. Owns
// prepared statements of `database`, which must outlive it.
class DamageFinder {
public:
    explicit DamageFinder(SQLite::Database& database);
    ~DamageFinder();
    DamageFinder(const DamageFinder&) = delete;
    DamageFinder& operator=(const DamageFinder&) = delete;

    // In the rows of `runs` of the whole log: also runs that are gone, and rows without a checksum.
    std::vector<LogDamage> inRuns();

    struct Verdict {
        std::vector<LogDamage> damage;
        std::vector<RowRange> whole; // the batches that are as they were written, in their order
    };
    Verdict inTable(RunId run, CheckedTable table);

    // In batches of tables that there are not.
    std::vector<LogDamage> inNamesOfTables();

private:
    struct Batch;
    class Reading;
    std::vector<Batch> batchesOf(RunId run, CheckedTable table);
    std::optional<LogDamage> checked(const Batch& batch, CheckedTable table);
    CheckedRows& rowsOf(CheckedTable table, const std::string& columns);
    const std::string& columnsOf(CheckedTable table);
    std::int64_t countOf(RunId run, CheckedTable table);

    SQLite::Database& m_database;
    std::map<CheckedTable, std::string> m_columns;
    struct Columns {
        std::string names;
        std::unique_ptr<CheckedRows> rows;
    };
    std::map<CheckedTable, Columns> m_rows; // of the names that were asked for last
};

} // namespace accrue
