// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_damage.h"

#include "engine/experiment/format.h"
#include "engine/runlog/row_cursor.h"
#include "engine/runlog/sql_guard.h"

#include <algorithm>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

constexpr std::size_t kNamed = 3;
constexpr const char* kOverlapping = "two checksums cover the same rows";

std::string countText(std::int64_t rows)
{
    return formatCount(rows) + (rows == 1 ? " row" : " rows");
}

} // namespace

std::string describe(const LogDamage& damage)
{
    std::string text = damage.table.empty() ? "the file" : "table " + damage.table;
    if (damage.run)
        text += ", run #" + std::to_string(numberOf(*damage.run));
    if (damage.attempt > 1)
        text += ", attempt " + formatCount(damage.attempt);
    if (damage.lastStep > damage.firstStep)
        text += ", steps " + formatCount(damage.firstStep) + " to " + formatCount(damage.lastStep);
    else if (damage.lastStep > 0)
        text += ", step " + formatCount(damage.lastStep);
    return text + ": " + damage.problem;
}

std::string describe(const std::vector<LogDamage>& damage)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(damage.size(), kNamed); ++i)
        text += (i > 0 ? "; " : "") + describe(damage[i]);
    if (damage.size() > kNamed)
        text += "; and " + std::to_string(damage.size() - kNamed) + " more";
    return text;
}

// A row of `checksums`.
struct DamageFinder::Batch {
    RowRange range;
    std::int64_t rows = 0;
    std::int64_t checksum = 0;
    std::string columns;
};

DamageFinder::DamageFinder(SQLite::Database& database)
    : m_database(database)
{
}

DamageFinder::~DamageFinder() = default;

std::vector<LogDamage> DamageFinder::inRuns()
{
    SQLite::Statement select(
        m_database, "SELECT run_id FROM checksums WHERE table_name = 'runs' ORDER BY run_id");
    std::vector<LogDamage> damage;
    std::int64_t known = 0;
    for (; select.executeStep(); ++known)
        for (LogDamage& found :
            inTable(RunId { select.getColumn(0).getInt64() }, CheckedTable::Runs).damage)
            damage.push_back(std::move(found));
    // Not by an index, which may be whole where the table is not.
    const std::int64_t rows =
        m_database.execAndGet("SELECT count(*) FROM runs NOT INDEXED").getInt64();
    if (damage.empty() && rows != known)
        damage.push_back({ .table = "runs",
            .problem = "there are " + countText(rows) + ", but checksums of " + countText(known) });
    return damage;
}

namespace {

// Its rows come after those of the whole batches, or belong to another attempt.
bool comesAfter(const std::vector<RowRange>& whole, const RowRange& range)
{
    return whole.empty() || whole.back().attempt != range.attempt
        || whole.back().lastStep < range.firstStep;
}

LogDamage placed(LogDamage damage, const RowRange& range, std::int64_t rows, CheckedTable table)
{
    damage.table = nameOf(table);
    damage.run = range.run;
    damage.rows = rows;
    if (hasSteps(table)) {
        damage.attempt = range.attempt;
        damage.firstStep = range.firstStep;
        damage.lastStep = range.lastStep;
    }
    return damage;
}

} // namespace

// The batches of a table in their order. Those that are whole do not overlap, so that reading them
// takes the table's rows once; of others no more is read than the table has once more, however many
// a file says that there are.
class DamageFinder::Reading {
public:
    explicit Reading(std::int64_t rows)
        : m_left(2 * std::max<std::int64_t>(rows, 0))
    {
    }

    // Whether rows of it were in a batch before.
    bool overlaps(const RowRange& range)
    {
        const bool same = range.attempt == m_attempt;
        const bool overlapping = same && m_lastStep >= range.firstStep;
        m_lastStep = same ? std::max(m_lastStep, range.lastStep) : range.lastStep;
        m_attempt = range.attempt;
        return overlapping;
    }
    bool isExhausted() const { return m_left <= 0; }
    void took(std::int64_t rows) { m_left -= rows; }

private:
    std::int64_t m_left;
    std::int64_t m_attempt = -1;
    std::int64_t m_lastStep = 0;
};

DamageFinder::Verdict DamageFinder::inTable(RunId run, CheckedTable table)
{
    Verdict verdict;
    const std::int64_t there = countOf(run, table);
    Reading reading(there);
    std::int64_t rows = 0;
    for (const Batch& batch : batchesOf(run, table)) {
        rows += batch.rows;
        std::optional<LogDamage> found = reading.overlaps(batch.range) && reading.isExhausted()
            ? std::optional(LogDamage { .problem = kOverlapping })
            : checked(batch, table);
        reading.took(batch.rows);
        if (!found && !comesAfter(verdict.whole, batch.range))
            found = LogDamage { .problem = kOverlapping };
        if (found)
            verdict.damage.push_back(placed(*found, batch.range, batch.rows, table));
        else
            verdict.whole.push_back(batch.range);
    }
    if (verdict.damage.empty() && there != rows)
        verdict.damage.push_back({ .table = std::string(nameOf(table)),
            .run = run,
            .rows = there,
            .problem = there < 0
                ? "the rows cannot be counted"
                : "there are " + countText(there) + ", but checksums of " + countText(rows) });
    return verdict;
}

std::vector<LogDamage> DamageFinder::inNamesOfTables()
{
    SQLite::Statement select(m_database, "SELECT run_id, table_name, row_count FROM checksums");
    std::vector<LogDamage> damage;
    while (select.executeStep()) {
        RowCursor cursor(select);
        const RunId run { cursor.integer() };
        if (checkedTableNamed(cursor.text()))
            continue;
        damage.push_back({ .table = "checksums",
            .run = run,
            .rows = cursor.integer(),
            .problem = "a checksum is of a table that this log does not have" });
    }
    return damage;
}

std::vector<DamageFinder::Batch> DamageFinder::batchesOf(RunId run, CheckedTable table)
{
    SQLite::Statement select(m_database,
        "SELECT attempt, first_step, last_step, row_count, checksum, column_names FROM checksums"
        " WHERE run_id = ? AND table_name = ? ORDER BY attempt, first_step");
    select.bind(1, numberOf(run));
    select.bind(2, std::string(nameOf(table)));
    std::vector<Batch> batches;
    while (select.executeStep()) {
        RowCursor cursor(select);
        Batch& batch = batches.emplace_back();
        batch.range.run = run;
        batch.range.attempt = cursor.integer();
        batch.range.firstStep = cursor.integer();
        batch.range.lastStep = cursor.integer();
        batch.rows = cursor.integer();
        batch.checksum = cursor.integer();
        batch.columns = cursor.text();
    }
    return batches;
}

std::optional<LogDamage> DamageFinder::checked(const Batch& batch, CheckedTable table)
{
    if (!areCovered(batch.columns, columnsOf(table)))
        return LogDamage { .problem = "the checksum is of columns that the table does not have" };
    CheckedRows& rows = rowsOf(table, batch.columns);
    std::int64_t found = 0;
    std::int64_t sum = 0;
    try {
        rows.start(batch.range);
        for (; found <= batch.rows && rows.next(); ++found)
            sum += rows.checksum();
        rows.stop();
    } catch (const SQLite::Exception& error) {
        if (!isDamage(error.getErrorCode()))
            throw;
        return LogDamage { .problem = "the rows cannot be read" };
    }
    if (found > batch.rows)
        return LogDamage { .problem = "there are more than " + countText(batch.rows) };
    if (found < batch.rows)
        return LogDamage { .problem =
                               "there are " + countText(found) + " of " + formatCount(batch.rows) };
    if (sum != batch.checksum)
        return LogDamage { .problem = std::string(batch.rows == 1 ? "the row does" : "the rows do")
                + " not match the checksum" };
    return std::nullopt;
}

CheckedRows& DamageFinder::rowsOf(CheckedTable table, const std::string& columns)
{
    Columns& kept = m_rows[table];
    if (!kept.rows || kept.names != columns)
        kept = { columns, std::make_unique<CheckedRows>(m_database, table, columns) };
    return *kept.rows;
}

const std::string& DamageFinder::columnsOf(CheckedTable table)
{
    std::string& columns = m_columns[table];
    if (columns.empty())
        columns = coveredColumns(m_database, table);
    return columns;
}

// -1: SQLite finds them damaged.
std::int64_t DamageFinder::countOf(RunId run, CheckedTable table)
{
    const bool runs = table == CheckedTable::Runs;
    try {
        SQLite::Statement select(m_database,
            "SELECT count(*) FROM " + std::string(nameOf(table))
                + (runs ? " WHERE id = ?" : " WHERE run_id = ?"));
        select.bind(1, numberOf(run));
        select.executeStep();
        return select.getColumn(0).getInt64();
    } catch (const SQLite::Exception& error) {
        if (!isDamage(error.getErrorCode()))
            throw;
        return -1;
    }
}

} // namespace accrue
