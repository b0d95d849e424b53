// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/row_seals.h"

#include "engine/logfile/query.h"

#include <algorithm>
#include <vector>

#include <SQLiteCpp/Database.h>

// A batch of checksums is found by its first step. When rows change, the batch with the first of
// them, or one that is still open before it, is read again from its beginning, and all batches
// after it are written again. For a run in training this is the open batch at the end of each
// table.

namespace accrue {

namespace {

// The minimum number of rows of a closed batch; docs/decisions.md explains why checksums are of
// batches.
constexpr std::int64_t kClosedRows = 64;

std::vector<std::int64_t> attemptsIn(SQLite::Database& database, CheckedTable table, RunId run)
{
    if (!hasSteps(table))
        return { 0 };
    return allOf<std::int64_t>(database,
        "SELECT DISTINCT attempt FROM " + std::string(nameOf(table)) + " WHERE run_id = ?", run);
}

std::int64_t countOfRows(SQLite::Database& database)
{
    std::int64_t rows = 0;
    for (const CheckedTable table : checkedTables())
        if (isInFormat(table, kChecksumsSinceFormat))
            rows += database.execAndGet("SELECT count(*) FROM " + std::string(nameOf(table)))
                        .getInt64();
    return rows;
}

} // namespace

RowSeals::RowSeals(SQLite::Database& database)
    : m_database(database)
    , m_rows(database)
    , m_open(database,
          "SELECT first_step, last_step, row_count FROM checksums WHERE run_id = ?"
          " AND table_name = ? AND attempt = ? AND first_step <= ?"
          " ORDER BY first_step DESC LIMIT 1")
    , m_remove(database,
          "DELETE FROM checksums WHERE run_id = ? AND table_name = ? AND attempt = ?"
          " AND first_step >= ?")
    , m_insert(database,
          "INSERT INTO checksums (run_id, table_name, attempt, first_step, last_step, row_count,"
          " checksum, column_names) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
{
}

void RowSeals::touch(RunId run, CheckedTable table, std::int64_t attempt, std::int64_t step)
{
    // Only the first changed step matters, because all batches after it are written again.
    const auto [entry, isNew] = m_touched.try_emplace({ run, table, attempt }, step);
    entry->second = std::min(entry->second, step);
}

void RowSeals::touchAll(RunId run, int format)
{
    for (const CheckedTable table : checkedTables())
        if (isInFormat(table, format))
            for (const std::int64_t attempt : attemptsIn(m_database, table, run))
                touch(run, table, attempt, std::numeric_limits<std::int64_t>::min());
}

void RowSeals::write()
{
    for (const auto& [key, fromStep] : m_touched)
        seal(key, fromStep);
    m_touched.clear();
}

void RowSeals::writeAll(const LogProgress& progress, const Message& what)
{
    const std::int64_t all = progress ? countOfRows(m_database) : 0;
    std::int64_t sealed = 0;
    if (progress)
        m_onSealed = [&](std::int64_t rows) {
            sealed += rows;
            progress(
                static_cast<double>(sealed) / static_cast<double>(std::max(all, sealed)), what);
        };
    // Run by run, so that m_touched stays small in a log of thousands of runs.
    for (const RunId run : allOf<RunId>(m_database, "SELECT id FROM runs ORDER BY id")) {
        touchAll(run, kChecksumsSinceFormat); // later tables do not exist yet
        write();
    }
    m_onSealed = nullptr;
}

void RowSeals::seal(const Key& key, std::int64_t fromStep)
{
    const std::int64_t firstStep = hasSteps(key.table) ? openedAt(key, fromStep) : 0;
    RowBinder(m_remove).bind(key.run, nameOf(key.table), key.attempt, firstStep).run();
    // Rows are read back instead of being hashed while they are bound: this way the checksum covers
    // what SQLite stored, whoever wrote it.
    CheckedRows& rows = m_rows.of(key.table, m_rows.columnsOf(key.table));
    rows.start({ key.run, key.attempt, firstStep });
    Batch batch;
    while (rows.next()) {
        const std::int64_t step = rows.step();
        // Never within a step, because a batch is named by its first and its last step.
        if (batch.rows >= kClosedRows && hasSteps(key.table) && step != batch.lastStep) {
            insert(key, batch);
            batch = {};
        }
        if (batch.rows == 0)
            batch.firstStep = step;
        batch.lastStep = step;
        ++batch.rows;
        // A sum does not depend on the order in which SQLite returns rows of one step.
        batch.checksum += rows.checksum();
    }
    if (batch.rows > 0)
        insert(key, batch);
}

// The step from which rows must be read again: the first of the batch that contains `fromStep` or
// is still open.
std::int64_t RowSeals::openedAt(const Key& key, std::int64_t fromStep)
{
    m_open.tryReset(); // in case the last transaction failed on it
    RowBinder(m_open).bind(key.run, nameOf(key.table), key.attempt, fromStep);
    std::int64_t firstStep = fromStep;
    if (m_open.executeStep()
        && (m_open.getColumn(2).getInt64() < kClosedRows
            || m_open.getColumn(1).getInt64() >= fromStep))
        firstStep = m_open.getColumn(0).getInt64();
    m_open.reset();
    return firstStep;
}

void RowSeals::insert(const Key& key, const Batch& batch)
{
    RowBinder(m_insert)
        .bind(key.run, nameOf(key.table), key.attempt, batch.firstStep, batch.lastStep, batch.rows,
            batch.checksum, m_rows.columnsOf(key.table))
        .run();
    if (m_onSealed)
        m_onSealed(batch.rows);
}

} // namespace accrue
