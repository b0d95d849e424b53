// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/row_copy.h"

#include "engine/logfile/query.h"

#include <string>
#include <string_view>
#include <vector>

#include <sqlite3.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

namespace accrue {

namespace {

// A statement of SQLite itself: SQLiteCpp cannot pass a value from one to another.
class RawStatement {
public:
    RawStatement(SQLite::Database& database, const std::string& sql)
        : m_database(database.getHandle())
    {
        if (const int result = sqlite3_prepare_v2(
                m_database, sql.c_str(), static_cast<int>(sql.size()), &m_statement, nullptr);
            result != SQLITE_OK)
            throw SQLite::Exception(m_database, result);
    }
    ~RawStatement() { sqlite3_finalize(m_statement); }
    RawStatement(const RawStatement&) = delete;
    RawStatement& operator=(const RawStatement&) = delete;

    void bind(std::optional<RunId> run)
    {
        if (run)
            sqlite3_bind_int64(m_statement, 1, numberOf(*run));
        else
            sqlite3_bind_null(m_statement, 1);
    }
    bool step() // false: no row
    {
        const int result = sqlite3_step(m_statement);
        if (result != SQLITE_ROW && result != SQLITE_DONE)
            throw SQLite::Exception(m_database, result);
        return result == SQLITE_ROW;
    }
    // The columns of this row become the parameters behind the first one of `to`.
    void passRowTo(RawStatement& to) const
    {
        for (int i = 0; i < sqlite3_column_count(m_statement); ++i)
            sqlite3_bind_value(to.m_statement, i + 2, sqlite3_column_value(m_statement, i));
    }
    void reset() { sqlite3_reset(m_statement); }

private:
    sqlite3* const m_database;
    sqlite3_stmt* m_statement = nullptr;
};

// Those of the table of this program, in whose format both files are, without computed ones.
Columns columnsOf(SQLite::Database& database, std::string_view table,
    std::initializer_list<std::string_view> without)
{
    Columns columns =
        allOf<std::string>(database, "SELECT name FROM pragma_table_info(?)", std::string(table));
    for (const std::string_view name : without)
        std::erase(columns, std::string(name));
    return columns;
}

// `key`: the column with the run's number, which is not among `columns`.
void copy(SQLite::Database& from, SQLite::Database& to, std::string_view table,
    const std::string& key, const Columns& columns, RunId run, std::optional<RunId> as)
{
    const std::string name(table);
    RawStatement select(from,
        "SELECT " + listOf(columns) + " FROM " + name + " WHERE " + key + " = ?"
            + (table == nameOf(CheckedTable::Markers) ? " ORDER BY sequence" : ""));
    Columns all { key };
    all.insert(all.end(), columns.begin(), columns.end());
    RawStatement insert(to, insertText("INSERT INTO " + name, all));
    insert.bind(as);
    for (select.bind(run); select.step(); insert.reset()) {
        select.passRowTo(insert);
        insert.step();
    }
}

} // namespace

RunId copyRunRow(SQLite::Database& from, SQLite::Database& to, RunId run, std::optional<RunId> as)
{
    const std::string_view table = nameOf(CheckedTable::Runs);
    copy(from, to, table, "id", columnsOf(to, table, { "id", "sweep_id" }), run, as);
    return RunId { to.getLastInsertRowid() };
}

void copyRows(SQLite::Database& from, SQLite::Database& to, CheckedTable table, RunId run, RunId as)
{
    const std::string_view name = nameOf(table);
    copy(from, to, name, "run_id", columnsOf(to, name, { "run_id", "sequence" }), run, as);
}

} // namespace accrue
