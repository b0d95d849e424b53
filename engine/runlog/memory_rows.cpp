// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/memory_rows.h"

#include "engine/events/event_json.h"
#include "engine/events/memory_layers.h"
#include "engine/runlog/row_binder.h"
#include "engine/runlog/row_cursor.h"
#include "engine/runlog/row_seals.h"
#include "engine/runlog/schema.h"
#include "engine/runlog/superseded_rows.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

constexpr int kSinceFormat = 4;
constexpr int kKeptSinceFormat = 5;
constexpr std::size_t kPhases = 5;

// The columns of `memory` after its place, in the order in which they are written and read.
std::string bytesColumns()
{
    std::string columns = "samples, begin_bytes, end_bytes, peak_bytes";
    for (const char* part : { ", peak_", ", end_" })
        for (std::size_t i = 0; i < kMemoryCategories; ++i)
            columns += part + std::string(nameOf(static_cast<MemoryCategory>(i)));
    return columns + ", cached_bytes, other_bytes";
}

std::string insertInto(const std::string& table, const std::string& columns)
{
    std::string values = "?";
    for (const char each : columns)
        values += each == ',' ? ", ?" : "";
    return "INSERT INTO " + table + " (" + columns + ") VALUES (" + values
        + ") ON CONFLICT DO NOTHING";
}

MemoryPhase phaseNamed(const std::string& name)
{
    for (std::size_t i = 0; i < kPhases; ++i)
        if (nameOf(static_cast<MemoryPhase>(i)) == name)
            return static_cast<MemoryPhase>(i);
    return MemoryPhase::Data;
}

MemoryCategory categoryNamed(const std::string& name)
{
    for (std::size_t i = 0; i < kMemoryCategories; ++i)
        if (nameOf(static_cast<MemoryCategory>(i)) == name)
            return static_cast<MemoryCategory>(i);
    return MemoryCategory::Workspace;
}

PhaseMemory phaseAt(RowCursor& cursor)
{
    PhaseMemory phase;
    phase.phase = phaseNamed(cursor.text());
    phase.microBatch = cursor.integer();
    phase.samples = cursor.integer();
    phase.beginBytes = cursor.integer();
    phase.endBytes = cursor.integer();
    phase.peakBytes = cursor.integer();
    for (std::int64_t& bytes : phase.atPeak)
        bytes = cursor.integer();
    for (std::int64_t& bytes : phase.atEnd)
        bytes = cursor.integer();
    phase.cachedBytes = cursor.integer();
    phase.otherBytes = cursor.integer();
    return phase;
}

// A window's or an evaluation's rows: those of one attempt at one step.
struct Place {
    std::int64_t step = 0;
    std::int64_t attempt = 0;
};

// A row stands at the step that its window became, whatever its samples.
constexpr std::int64_t kAnySamples = 0;

bool isIn(const std::vector<RowRange>& ranges, const Place& place)
{
    return std::any_of(ranges.begin(), ranges.end(), [&](const RowRange& range) {
        return range.attempt == place.attempt && range.firstStep <= place.step
            && place.step <= range.lastStep;
    });
}

const char* const kOfWindows = "phase <> 'evaluation'";
const char* const kOfEvaluations = "phase = 'evaluation'";

// Those of a run that are not superseded. A file of an older format has none.
class StoredMemory {
public:
    StoredMemory(SQLite::Database& database, RunId run)
        : m_database(database)
        , m_run(numberOf(run))
        , m_superseded(database, run)
        , m_format(versionOf(database).version)
    {
    }

    // Distinct places of the rows that `which` allows.
    std::vector<Place> places(const std::string& which) const
    {
        std::vector<Place> found;
        if (m_format < kSinceFormat)
            return found;
        SQLite::Statement select(m_database,
            "SELECT DISTINCT step, attempt FROM memory WHERE run_id = ? AND " + which
                + " ORDER BY step, attempt");
        select.bind(1, m_run);
        while (select.executeStep()) {
            const Place place { select.getColumn(0).getInt64(), select.getColumn(1).getInt64() };
            if (counts(place))
                found.push_back(place);
        }
        return found;
    }

    std::optional<Place> lastPlace(const std::string& which, std::int64_t upToStep) const
    {
        if (m_format < kSinceFormat)
            return std::nullopt;
        SQLite::Statement select(m_database,
            "SELECT step, attempt FROM memory WHERE run_id = ? AND step <= ? AND " + which
                + " ORDER BY step DESC, attempt DESC");
        select.bind(1, m_run);
        select.bind(2, upToStep);
        while (select.executeStep()) {
            const Place place { select.getColumn(0).getInt64(), select.getColumn(1).getInt64() };
            if (counts(place))
                return place;
        }
        return std::nullopt;
    }

    // The last step before the next window that has rows.
    std::int64_t lastStepLike(const Place& window) const
    {
        for (const Place& place : places(kOfWindows))
            if (place.step > window.step)
                return place.step - 1;
        return std::numeric_limits<std::int64_t>::max();
    }

    // Its phases in their order, without their owners.
    MemoryMeasured at(const Place& place, const std::string& which) const
    {
        static const std::string kSelect =
            "SELECT epoch, seconds, phase, micro_batch, " + bytesColumns() + " FROM memory";
        SQLite::Statement select(m_database,
            kSelect + " WHERE run_id = ? AND step = ? AND attempt = ? AND " + which
                + " ORDER BY position");
        bindPlace(select, place);
        MemoryMeasured measured { .step = place.step };
        while (select.executeStep()) {
            RowCursor cursor(select);
            measured.epoch = cursor.integer();
            measured.seconds = cursor.number();
            measured.phases.push_back(phaseAt(cursor));
        }
        return measured;
    }

    MemoryMeasured withOwners(const Place& place, const std::string& which) const
    {
        MemoryMeasured measured = at(place, which);
        SQLite::Statement select(m_database,
            "SELECT category, layer, operation, bytes FROM memory_owners WHERE run_id = ?"
            " AND step = ? AND attempt = ? AND phase = ? AND micro_batch = ? ORDER BY position");
        for (PhaseMemory& phase : measured.phases) {
            bindPlace(select, place);
            select.bind(4, std::string(nameOf(phase.phase)));
            select.bind(5, phase.microBatch);
            while (select.executeStep()) {
                RowCursor cursor(select);
                MemoryOwner& owner = phase.owners.emplace_back();
                owner.category = categoryNamed(cursor.text());
                owner.layer = cursor.text();
                owner.operation = cursor.text();
                owner.bytes = cursor.integer();
            }
            select.reset();
        }
        if (m_format >= kKeptSinceFormat)
            addKept(measured, place);
        return measured;
    }

    std::optional<Place> highestPeak(const std::string& which) const
    {
        if (m_format < kSinceFormat)
            return std::nullopt;
        SQLite::Statement select(m_database,
            "SELECT step, attempt FROM memory WHERE run_id = ? AND " + which
                + " ORDER BY peak_bytes DESC, step");
        select.bind(1, m_run);
        while (select.executeStep()) {
            const Place place { select.getColumn(0).getInt64(), select.getColumn(1).getInt64() };
            if (counts(place))
                return place;
        }
        return std::nullopt;
    }

private:
    void addKept(MemoryMeasured& measured, const Place& place) const
    {
        SQLite::Statement select(m_database,
            "SELECT layer, bytes FROM memory_kept WHERE run_id = ? AND step = ? AND attempt = ?"
            " AND micro_batch = ? ORDER BY position");
        for (PhaseMemory& phase : measured.phases) {
            if (phase.phase != MemoryPhase::Forward)
                continue;
            bindPlace(select, place);
            select.bind(4, phase.microBatch);
            while (select.executeStep()) {
                RowCursor cursor(select);
                LayerBytes& kept = phase.kept.emplace_back();
                kept.layer = cursor.text();
                kept.bytes = cursor.integer();
            }
            select.reset();
        }
    }
    bool counts(const Place& place) const
    {
        return m_superseded.none()
            || !m_superseded.containsMarker(place.attempt, place.step, kAnySamples);
    }
    void bindPlace(SQLite::Statement& select, const Place& place) const
    {
        select.bind(1, m_run);
        select.bind(2, place.step);
        select.bind(3, place.attempt);
    }

    SQLite::Database& m_database;
    const std::int64_t m_run;
    const SupersededRows m_superseded;
    const int m_format;
};

} // namespace

MemoryRows::MemoryRows(SQLite::Database& database, RowSeals& seals)
    : m_seals(seals)
    , m_phase(std::make_unique<SQLite::Statement>(database,
          insertInto("memory",
              "run_id, attempt, step, position, epoch, seconds, phase, micro_batch, "
                  + bytesColumns())))
    , m_owner(std::make_unique<SQLite::Statement>(database,
          insertInto("memory_owners",
              "run_id, attempt, step, phase, micro_batch, position, category, layer, operation,"
              " bytes")))
    , m_kept(std::make_unique<SQLite::Statement>(database,
          insertInto("memory_kept", "run_id, attempt, step, micro_batch, position, layer, bytes")))
{
}

MemoryRows::~MemoryRows() = default;

void MemoryRows::write(RunId run, int attempt, const MemoryMeasured& measured)
{
    std::int64_t position = 0;
    for (const PhaseMemory& phase : measured.phases) {
        RowBinder row(*m_phase);
        row.integer(numberOf(run)).integer(attempt).integer(measured.step).integer(++position);
        row.integer(measured.epoch).number(measured.seconds);
        row.text(nameOf(phase.phase)).integer(phase.microBatch).integer(phase.samples);
        row.integer(phase.beginBytes).integer(phase.endBytes).integer(phase.peakBytes);
        for (const std::int64_t bytes : phase.atPeak)
            row.integer(bytes);
        for (const std::int64_t bytes : phase.atEnd)
            row.integer(bytes);
        row.integer(phase.cachedBytes).integer(phase.otherBytes);
        runRow(*m_phase);
        writeOwners(run, attempt, measured, phase);
        writeKept(run, attempt, measured, phase);
    }
    for (const CheckedTable table :
        { CheckedTable::Memory, CheckedTable::MemoryOwners, CheckedTable::MemoryKept })
        m_seals.touch(run, table, attempt, measured.step);
}

void MemoryRows::writeKept(
    RunId run, int attempt, const MemoryMeasured& measured, const PhaseMemory& phase)
{
    std::int64_t position = 0;
    for (const LayerBytes& kept : phase.kept) {
        RowBinder row(*m_kept);
        row.integer(numberOf(run)).integer(attempt).integer(measured.step);
        row.integer(phase.microBatch).integer(++position).text(kept.layer).integer(kept.bytes);
        runRow(*m_kept);
    }
}

void MemoryRows::writeOwners(
    RunId run, int attempt, const MemoryMeasured& measured, const PhaseMemory& phase)
{
    std::int64_t position = 0;
    for (const MemoryOwner& owner : phase.owners) {
        RowBinder row(*m_owner);
        row.integer(numberOf(run)).integer(attempt).integer(measured.step);
        row.text(nameOf(phase.phase)).integer(phase.microBatch).integer(++position);
        row.text(nameOf(owner.category)).text(owner.layer).text(owner.operation);
        row.integer(owner.bytes);
        runRow(*m_owner);
    }
}

std::vector<std::int64_t> readMeteredSteps(SQLite::Database& database, RunId run)
{
    const std::vector<Place> places = StoredMemory(database, run).places(kOfWindows);
    std::vector<std::int64_t> steps;
    steps.reserve(places.size());
    for (const Place& place : places)
        steps.push_back(place.step);
    return steps;
}

MemoryMeasured readMemoryAt(SQLite::Database& database, RunId run, std::int64_t step)
{
    const StoredMemory stored(database, run);
    const std::optional<Place> window = stored.lastPlace(kOfWindows, step);
    if (!window)
        return {};
    MemoryMeasured measured = stored.withOwners(*window, kOfWindows);
    if (const auto evaluation = stored.lastPlace(kOfEvaluations, stored.lastStepLike(*window)))
        for (PhaseMemory& phase : stored.withOwners(*evaluation, kOfEvaluations).phases)
            measured.phases.push_back(std::move(phase));
    return measured;
}

std::int64_t readHighestWindow(SQLite::Database& database, RunId run)
{
    const std::optional<Place> place = StoredMemory(database, run).highestPeak(kOfWindows);
    return place ? place->step : 0;
}

std::map<RunId, std::int64_t> readEvaluationPeaks(
    SQLite::Database& database, std::optional<RunId> only)
{
    std::map<RunId, std::int64_t> peaks;
    if (versionOf(database).version < kSinceFormat)
        return peaks;
    SQLite::Statement select(database,
        std::string("SELECT run_id, attempt, step, max(peak_bytes),"
                    " (SELECT runs.attempt FROM runs WHERE id = run_id) FROM memory WHERE ")
            + (only ? "run_id = ?1 AND " : "?1 IS NULL AND ") + kOfEvaluations
            + " GROUP BY run_id, step, attempt");
    if (only)
        select.bind(1, numberOf(*only));
    SupersededRowsOfRuns superseded(database);
    while (select.executeStep()) {
        RowCursor cursor(select);
        const RunId run { cursor.integer() };
        const std::int64_t attempt = cursor.integer();
        const std::int64_t step = cursor.integer();
        const std::int64_t peak = cursor.integer();
        if (superseded.containsMarker(run, cursor.integer(), attempt, step, kAnySamples))
            continue;
        std::int64_t& highest = peaks[run];
        highest = std::max(highest, peak);
    }
    return peaks;
}

MemoryMeasured readMemoryPeak(SQLite::Database& database, RunId run)
{
    const StoredMemory stored(database, run);
    const std::optional<Place> place = stored.highestPeak("true");
    if (!place)
        return {};
    MemoryMeasured measured = stored.withOwners(*place, "true");
    if (const PhaseMemory* const highest = highestPeak(measured))
        measured.phases = { PhaseMemory(*highest) };
    return measured;
}

std::vector<MemoryMeasured> readMemory(
    SQLite::Database& database, RunId run, const std::vector<RowRange>* whole)
{
    const StoredMemory stored(database, run);
    std::vector<Place> places = stored.places("true");
    if (whole != nullptr)
        std::erase_if(places, [&](const Place& place) { return !isIn(*whole, place); });
    std::vector<MemoryMeasured> all;
    for (const Place& place : places)
        for (const char* which : { kOfWindows, kOfEvaluations }) {
            MemoryMeasured measured = stored.at(place, which);
            if (!measured.phases.empty())
                all.push_back(std::move(measured));
        }
    return all;
}

} // namespace accrue
