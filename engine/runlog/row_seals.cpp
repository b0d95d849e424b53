// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/row_seals.h"

#include "engine/runlog/checked_rows.h"
#include "engine/runlog/row_binder.h"

#include <algorithm>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

constexpr std::int64_t kClosedRows = 64;

std::vector<RunId> runsOf(SQLite::Database& database)
{
    SQLite::Statement select(database, "SELECT id FROM runs ORDER BY id");
    std::vector<RunId> runs;
    while (select.executeStep())
        runs.push_back(RunId { select.getColumn(0).getInt64() });
    return runs;
}

std::vector<std::int64_t> attemptsIn(SQLite::Database& database, CheckedTable table, RunId run)
{
    if (!hasSteps(table))
        return { 0 };
    SQLite::Statement select(database,
        "SELECT DISTINCT attempt FROM " + std::string(nameOf(table)) + " WHERE run_id = ?");
    select.bind(1, numberOf(run));
    std::vector<std::int64_t> attempts;
    while (select.executeStep())
        attempts.push_back(select.getColumn(0).getInt64());
    return attempts;
}

std::int64_t countOfRows(SQLite::Database& database)
{
    std::int64_t rows = 0;
    for (const CheckedTable table : checkedTables())
        rows +=
            database.execAndGet("SELECT count(*) FROM " + std::string(nameOf(table))).getInt64();
    return rows;
}

} // namespace

RowSeals::RowSeals(SQLite::Database& database)
    : m_database(database)
    , m_open(std::make_unique<SQLite::Statement>(database,
          "SELECT first_step, last_step, row_count FROM checksums WHERE run_id = ?"
          " AND table_name = ? AND attempt = ? AND first_step <= ?"
          " ORDER BY first_step DESC LIMIT 1"))
    , m_remove(std::make_unique<SQLite::Statement>(database,
          "DELETE FROM checksums WHERE run_id = ? AND table_name = ? AND attempt = ?"
          " AND first_step >= ?"))
    , m_insert(std::make_unique<SQLite::Statement>(database,
          "INSERT INTO checksums (run_id, table_name, attempt, first_step, last_step, row_count,"
          " checksum, column_names) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"))
{
}

RowSeals::~RowSeals() = default;

void RowSeals::touch(RunId run, CheckedTable table, std::int64_t attempt, std::int64_t step)
{
    const auto [entry, isNew] = m_touched.try_emplace({ run, table, attempt }, step);
    entry->second = std::min(entry->second, step);
}

void RowSeals::write()
{
    for (const auto& [key, fromStep] : m_touched)
        seal(key, fromStep);
    m_touched.clear();
}

void RowSeals::writeAll(const LogProgress& progress, const std::string& what)
{
    const std::int64_t all = progress ? countOfRows(m_database) : 0;
    std::int64_t sealed = 0;
    if (progress)
        m_onSealed = [&](std::int64_t rows) {
            sealed += rows;
            progress(
                static_cast<double>(sealed) / static_cast<double>(std::max(all, sealed)), what);
        };
    for (const RunId run : runsOf(m_database)) {
        touchAll(run);
        write();
    }
    m_onSealed = nullptr;
}

void RowSeals::touchAll(RunId run)
{
    for (const CheckedTable table : checkedTables())
        for (const std::int64_t attempt : attemptsIn(m_database, table, run))
            touch(run, table, attempt, std::numeric_limits<std::int64_t>::min());
}

CheckedRows& RowSeals::rowsOf(CheckedTable table)
{
    std::unique_ptr<CheckedRows>& rows = m_rows.at(static_cast<std::size_t>(table));
    if (!rows)
        rows = std::make_unique<CheckedRows>(m_database, table, columnsOf(table));
    return *rows;
}

const std::string& RowSeals::columnsOf(CheckedTable table)
{
    std::string& columns = m_columns.at(static_cast<std::size_t>(table));
    if (columns.empty())
        columns = coveredColumns(m_database, table);
    return columns;
}

void RowSeals::seal(const Key& key, std::int64_t fromStep)
{
    const std::int64_t firstStep = hasSteps(key.table) ? openedAt(key, fromStep) : 0;
    removeFrom(key, firstStep);
    CheckedRows& rows = rowsOf(key.table);
    rows.start({ key.run, key.attempt, firstStep });
    Batch batch;
    while (rows.next()) {
        const std::int64_t step = rows.step();
        if (batch.rows >= kClosedRows && hasSteps(key.table) && step != batch.lastStep) {
            insert(key, batch);
            batch = {};
        }
        if (batch.rows == 0)
            batch.firstStep = step;
        batch.lastStep = step;
        ++batch.rows;
        batch.checksum += rows.checksum();
    }
    if (batch.rows > 0)
        insert(key, batch);
}

// From where rows are to be read again: those of the batch that holds the step or is still open.
std::int64_t RowSeals::openedAt(const Key& key, std::int64_t fromStep)
{
    m_open->tryReset(); // where the last transaction failed on it
    RowBinder(*m_open)
        .integer(numberOf(key.run))
        .text(nameOf(key.table))
        .integer(key.attempt)
        .integer(fromStep);
    std::int64_t firstStep = fromStep;
    if (m_open->executeStep()
        && (m_open->getColumn(2).getInt64() < kClosedRows
            || m_open->getColumn(1).getInt64() >= fromStep))
        firstStep = m_open->getColumn(0).getInt64();
    m_open->reset();
    return firstStep;
}

void RowSeals::removeFrom(const Key& key, std::int64_t firstStep)
{
    RowBinder(*m_remove)
        .integer(numberOf(key.run))
        .text(nameOf(key.table))
        .integer(key.attempt)
        .integer(firstStep);
    runRow(*m_remove);
}

void RowSeals::insert(const Key& key, const Batch& batch)
{
    RowBinder row(*m_insert);
    row.integer(numberOf(key.run)).text(nameOf(key.table)).integer(key.attempt);
    row.integer(batch.firstStep).integer(batch.lastStep).integer(batch.rows);
    row.integer(batch.checksum).text(columnsOf(key.table));
    runRow(*m_insert);
    if (m_onSealed)
        m_onSealed(batch.rows);
}

} // namespace accrue
