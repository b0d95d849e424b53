// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/format_6.h"

#include "engine/logfile/checked_table.h"
#include "engine/logfile/query.h"
#include "engine/logfile/row_seals.h"
#include "engine/runs/run_log_error.h"

#include <string>

#include <sqlite3.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

namespace accrue {

namespace {

Message upgrading()
{
    return Message("runlog.upgrading");
}

[[noreturn]] void refuse(const SQLite::Database& database, const Message& why)
{
    throw RunLogError(
        Message("runlog.not_upgraded", { { "file", database.getFilename() }, { "why", why } }),
        RunLogError::Kind::Damaged);
}

std::string columnsOf(SQLite::Database& database, const std::string& table)
{
    const auto columns = firstOf<std::string>(database,
        "SELECT group_concat('\"' || replace(name, '\"', '\"\"') || '\"') FROM"
        " pragma_table_info(?)",
        table);
    return columns.value_or("");
}

// Without an index, because that of a damaged table may differ from it.
std::int64_t countIn(SQLite::Database& database, const std::string& table)
{
    return database.execAndGet("SELECT count(*) FROM " + table + " NOT INDEXED").getInt64();
}

// Copies the table's rows to the table that replaces it, run by run. `progress` receives shares of
// the whole copy.
void copyRows(SQLite::Database& database, CheckedTable table, const LogProgress& progress)
{
    const std::string name(nameOf(table));
    const std::string key = table == CheckedTable::Runs ? "id" : "run_id";
    const std::string columns = columnsOf(database, name);
    SQLite::Statement copy(database,
        "INSERT INTO " + name + "_6 (" + columns + ") SELECT " + columns + " FROM " + name
            + " WHERE " + key + " = ?");
    const auto runs = allOf<std::int64_t>(database, "SELECT DISTINCT " + key + " FROM " + name);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        copy.bind(1, runs[i]);
        try {
            copy.exec();
        } catch (const SQLite::Exception& error) {
            // The old formats had no bounds, so a stored value may violate a CHECK.
            if (error.getErrorCode() != SQLITE_CONSTRAINT)
                throw;
            refuse(database,
                Message("runlog.impossible_value",
                    { { "run", std::to_string(runs[i]) }, { "table", name },
                        { "reason", std::string(error.what()) } }));
        }
        copy.reset();
        if (progress)
            progress(static_cast<double>(i + 1) / static_cast<double>(runs.size()), upgrading());
    }
    // A damaged index may hide rows from a SELECT by run, and they would be lost silently.
    if (countIn(database, name) != countIn(database, name + "_6"))
        refuse(database, Message("runlog.rows_not_found", { { "table", name } }));
}

void takePlaceOf(SQLite::Database& database, CheckedTable table)
{
    const std::string name(nameOf(table));
    database.exec("DROP TABLE " + name);
    database.exec("ALTER TABLE " + name + "_6 RENAME TO " + name);
}

// The number of a run is never used again, not even that of a deleted one.
void replaceRuns(SQLite::Database& database)
{
    const std::int64_t last =
        database.execAndGet("SELECT max(seq) FROM sqlite_sequence WHERE name = 'runs'").getInt64();
    takePlaceOf(database, CheckedTable::Runs);
    database.exec("DELETE FROM sqlite_sequence WHERE name = 'runs'");
    // Dropping the old table removed its counter.
    execute(database, "INSERT INTO sqlite_sequence (name, seq) VALUES ('runs', ?)", last);
}

void requireParents(SQLite::Database& database)
{
    // Apart from the checked tables, only `checksums` refers to runs.
    const auto orphaned = firstOf<std::string>(database, "PRAGMA foreign_key_check");
    if (!orphaned)
        return;
    const auto table = checkedTableNamed(*orphaned);
    refuse(database,
        Message("runlog.rows_without_run",
            { { "table", std::string(table ? nameOf(*table) : "checksums") } }));
}

double shareOfCopying(SQLite::Database& database)
{
    const double copied = database.execAndGet("SELECT count(*) FROM memory").getDouble();
    const double others = database.execAndGet("SELECT count(*) FROM steps").getDouble() + 1;
    return copied / (2 * copied + others); // a row of memory is copied, and read for its checksum
}

} // namespace

void moveToFormat6(SQLite::Database& database, const LogProgress& progress)
{
    const double copying = progress ? shareOfCopying(database) : 0;
    const auto part = [&](double from, double width) -> LogProgress {
        if (!progress)
            return {};
        return [=, &progress](
                   double share, const Message& what) { progress(from + width * share, what); };
    };
    // All rows are copied before any table is dropped, so a value that does not pass leaves
    // everything as it was. Runs and attempts have few rows, so only memory reports progress.
    copyRows(database, CheckedTable::Runs, {});
    copyRows(database, CheckedTable::Attempts, {});
    copyRows(database, CheckedTable::Memory, part(0, copying));
    replaceRuns(database);
    takePlaceOf(database, CheckedTable::Attempts);
    takePlaceOf(database, CheckedTable::Memory);
    requireParents(database);
    // Last, because it reads the rows from the final tables.
    RowSeals(database).writeAll(part(copying, 1 - copying), upgrading());
}

} // namespace accrue
