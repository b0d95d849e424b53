// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/log_damage.h"

#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/sql_guard.h"

#include <algorithm>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

namespace accrue {

namespace {

// Named in one sentence; `accrue doctor --check-log` lists all.
constexpr std::size_t kNamed = 3;

Message overlapping()
{
    return Message("runlog.overlapping_checksums");
}

Message wrongCount(std::int64_t rows, std::int64_t covered)
{
    return Message("runlog.rows_without_checksum", { { "rows", rows }, { "covered", covered } });
}

Message withSteps(const Message& place, const LogDamage& damage)
{
    if (damage.lastStep > damage.firstStep)
        return Message("runlog.damaged_steps",
            { { "place", place }, { "first", damage.firstStep }, { "last", damage.lastStep } });
    if (damage.lastStep > 0)
        return Message("runlog.damaged_step", { { "place", place }, { "step", damage.lastStep } });
    return place;
}

Message placeOf(const LogDamage& damage)
{
    Message place = damage.table.empty()
        ? Message("runlog.damaged_file")
        : Message("runlog.damaged_table", { { "table", damage.table } });
    if (damage.run)
        place = Message("runlog.damaged_run",
            { { "place", place }, { "run", std::to_string(numberOf(*damage.run)) } });
    if (damage.attempt > 1)
        place = Message(
            "runlog.damaged_attempt", { { "place", place }, { "attempt", damage.attempt } });
    return withSteps(place, damage);
}

} // namespace

Message describe(const LogDamage& damage)
{
    return Message(
        "runlog.damage", { { "place", placeOf(damage) }, { "problem", damage.problem } });
}

Message describe(const std::vector<LogDamage>& damage)
{
    Message text;
    for (std::size_t i = 0; i < std::min(damage.size(), kNamed); ++i)
        text = i == 0 ? describe(damage[i])
                      : Message("runlog.more_damage",
                          { { "damage", text }, { "next", describe(damage[i]) } });
    if (damage.size() > kNamed)
        text = Message(
            "runlog.much_damage", { { "damage", text }, { "count", damage.size() - kNamed } });
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
    , m_rows(database)
{
}

std::vector<LogDamage> DamageFinder::inRuns()
{
    // By the checksums, not by `runs`: a run whose row is missing is damage as well.
    const auto known = allOf<RunId>(
        m_database, "SELECT run_id FROM checksums WHERE table_name = 'runs' ORDER BY run_id");
    std::vector<LogDamage> damage;
    for (const RunId run : known)
        for (LogDamage& found : inTable(run, CheckedTable::Runs).damage)
            damage.push_back(std::move(found));
    // Without an index, which may be intact although the table is not.
    const std::int64_t rows =
        m_database.execAndGet("SELECT count(*) FROM runs NOT INDEXED").getInt64();
    if (const auto covered = static_cast<std::int64_t>(known.size());
        damage.empty() && rows != covered)
        damage.push_back({ .table = "runs", .problem = wrongCount(rows, covered) });
    return damage;
}

std::vector<LogDamage> DamageFinder::inOtherTables(RunId run)
{
    const int format = formatOf(m_database);
    std::vector<LogDamage> damage;
    for (const CheckedTable table : checkedTables())
        if (table != CheckedTable::Runs && isInFormat(table, format))
            for (LogDamage& found : inTable(run, table).damage)
                damage.push_back(std::move(found));
    return damage;
}

namespace {

// Whether its rows come after those of the undamaged batches, or belong to another attempt.
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

// The batches of a table in order. Undamaged batches do not overlap, so reading them reads the
// table once; of damaged ones at most one more table's worth of rows is read, whatever number the
// file claims.
class DamageFinder::Reading {
public:
    explicit Reading(std::int64_t rows)
        : m_left(2 * std::max<std::int64_t>(rows, 0))
    {
    }

    // Whether some of its rows were in a previous batch.
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
    // Counted first, so that a file cannot make the check read its rows more than twice.
    const std::int64_t there = countOf(run, table);
    Reading reading(there);
    std::int64_t rows = 0;
    for (const Batch& batch : batchesOf(run, table)) {
        rows += batch.rows;
        std::optional<LogDamage> found = reading.overlaps(batch.range) && reading.isExhausted()
            ? std::optional(LogDamage { .problem = overlapping() })
            : checked(batch, table);
        reading.took(batch.rows);
        if (!found && !comesAfter(verdict.whole, batch.range))
            found = LogDamage { .problem = overlapping() };
        if (found)
            verdict.damage.push_back(placed(*found, batch.range, batch.rows, table));
        else
            verdict.whole.push_back(batch.range);
    }
    // The total reveals rows that no batch covers. A damaged batch would explain the difference,
    // too.
    if (verdict.damage.empty() && there != rows)
        verdict.damage.push_back({ .table = std::string(nameOf(table)),
            .run = run,
            .rows = there,
            .problem = there < 0 ? Message("runlog.uncountable") : wrongCount(there, rows) });
    return verdict;
}

std::vector<LogDamage> DamageFinder::inNamesOfTables()
{
    const int format = formatOf(m_database);
    Query rows(m_database, "SELECT run_id, row_count, table_name FROM checksums");
    std::vector<LogDamage> damage;
    while (rows.next()) {
        // Braces evaluate from left to right, so the columns are read in the order of the SELECT.
        LogDamage found { .table = "checksums",
            .run = RunId { rows.integer() },
            .rows = rows.integer(),
            .problem = Message("runlog.checksum_of_no_table") };
        const auto table = checkedTableNamed(rows.text());
        if (!table || !isInFormat(*table, format))
            damage.push_back(std::move(found));
    }
    return damage;
}

std::vector<DamageFinder::Batch> DamageFinder::batchesOf(RunId run, CheckedTable table)
{
    Query rows(m_database,
        "SELECT attempt, first_step, last_step, row_count, checksum, column_names FROM checksums"
        " WHERE run_id = ? AND table_name = ? ORDER BY attempt, first_step",
        run, nameOf(table));
    std::vector<Batch> batches;
    while (rows.next()) {
        Batch& batch = batches.emplace_back();
        batch.range.run = run;
        rows.read(batch.range.attempt, batch.range.firstStep, batch.range.lastStep, batch.rows,
            batch.checksum, batch.columns);
    }
    return batches;
}

std::optional<LogDamage> DamageFinder::checked(const Batch& batch, CheckedTable table)
{
    // The names become part of a SELECT and come from the file: only names of existing columns may
    // get there.
    if (!areCovered(batch.columns, m_rows.columnsOf(table)))
        return LogDamage { .problem = Message("runlog.checksum_of_no_column") };
    CheckedRows& rows = m_rows.of(table, batch.columns);
    std::int64_t found = 0;
    std::int64_t sum = 0;
    try {
        rows.start(batch.range);
        // One row more than expected is enough to know that there are too many.
        for (; found <= batch.rows && rows.next(); ++found)
            sum += rows.checksum();
        rows.stop();
    } catch (const SQLite::Exception& error) {
        if (!isDamage(error.getErrorCode()))
            throw;
        return LogDamage { .problem = Message("runlog.unreadable_rows") };
    }
    return differenceOf(found, sum, batch);
}

std::optional<LogDamage> DamageFinder::differenceOf(
    std::int64_t rows, std::int64_t checksum, const Batch& batch)
{
    if (rows > batch.rows)
        return LogDamage { .problem =
                               Message("runlog.too_many_rows", { { "expected", batch.rows } }) };
    if (rows < batch.rows)
        return LogDamage { .problem = Message("runlog.missing_rows",
                               { { "rows", rows }, { "expected", batch.rows } }) };
    if (checksum != batch.checksum)
        return LogDamage { .problem = Message("runlog.wrong_checksum", { { "rows", rows } }) };
    return std::nullopt;
}

// -1: SQLite reports damage.
std::int64_t DamageFinder::countOf(RunId run, CheckedTable table)
{
    const bool runs = table == CheckedTable::Runs;
    try {
        return *firstOf<std::int64_t>(m_database,
            "SELECT count(*) FROM " + std::string(nameOf(table))
                + (runs ? " WHERE id = ?" : " WHERE run_id = ?"),
            run);
    } catch (const SQLite::Exception& error) {
        if (!isDamage(error.getErrorCode()))
            throw;
        return -1;
    }
}

} // namespace accrue
