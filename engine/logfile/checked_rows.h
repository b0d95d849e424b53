// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/checked_table.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_value;

namespace accrue {

// Rows of a run in one table: all of them, or if the table has steps, those of one attempt from
// step `firstStep` to `lastStep`.
struct RowRange {
    RunId run {};
    std::int64_t attempt = 0;
    std::int64_t firstStep = 0;
    std::int64_t lastStep = std::numeric_limits<std::int64_t>::max();
};

// Reads rows of a table in the order of their steps, and computes their checksums as
// docs/run_log_format.md defines them: CRC-32 over, column by column, its name, NUL, and its value
// after a letter for its type. This one query serves writing checksums as well as comparing them.
// All methods throw SQLite::Exception. Owns a prepared statement of `database`, which must outlive
// it.
class CheckedRows {
public:
    // `columns`: names separated by commas, all of which the table has.
    CheckedRows(SQLite::Database& database, CheckedTable table, const std::string& columns);
    ~CheckedRows();
    CheckedRows(const CheckedRows&) = delete;
    CheckedRows& operator=(const CheckedRows&) = delete;

    void start(const RowRange& range);
    bool next(); // false: no more rows
    void stop(); // before the last row, so that no read transaction stays open
    std::int64_t step() const; // 0 if the table has no steps
    std::uint32_t checksum(); // of the row

private:
    char* roomFor(char* out, std::size_t more);
    char* putBytes(char* out, sqlite3_value* value);

    sqlite3* const m_database;
    const bool m_hasSteps;
    std::vector<std::string> m_names; // each with a NUL behind it
    sqlite3_stmt* m_select = nullptr;
    std::vector<char> m_bytes; // of the row; a member, so that its memory is reused
};

// The CheckedRows of all tables, each prepared once for the columns that were last requested.
class KeptRows {
public:
    explicit KeptRows(SQLite::Database& database) // borrowed
        : m_database(database)
    {
    }
    // All columns of the table in this file, including computed ones, separated by commas.
    const std::string& columnsOf(CheckedTable table);
    CheckedRows& of(CheckedTable table, const std::string& columns);

private:
    struct Kept {
        std::string covered; // empty: not requested yet
        std::string columns; // of `rows`
        std::unique_ptr<CheckedRows> rows;
    };
    SQLite::Database& m_database;
    std::map<CheckedTable, Kept> m_tables;
};

// Whether each of `columns` is one of `covered`.
bool areCovered(const std::string& columns, const std::string& covered);

} // namespace accrue
