// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/memory_rows.h"

#include "engine/events/event_json.h"
#include "engine/events/memory.h"
#include "engine/logfile/query.h"
#include "engine/logfile/row_seals.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/superseded_rows.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <SQLiteCpp/Database.h>

// Rows are stored by windows: `memory` has a row for each phase, `memory_owners` and `memory_kept`
// what was live in it. A window like the previous one has no rows, so reading looks for the last
// window that has some. A row stores no number of micro-batches, so whether it is superseded
// follows from its step.

namespace accrue {

namespace {

constexpr int kSinceFormat = 4;
constexpr int kKeptSinceFormat = 5;

// The columns of `memory` after its place, in the order in which they are written and read.
Columns bytesColumns()
{
    Columns columns { "samples", "begin_bytes", "end_bytes", "peak_bytes" };
    for (const std::string part : { "peak_", "end_" })
        for (std::size_t i = 0; i < kMemoryCategories; ++i)
            columns.push_back(part + std::string(nameOf(static_cast<MemoryCategory>(i))));
    columns.insert(columns.end(), { "cached_bytes", "other_bytes" });
    return columns;
}

// A window that is emitted twice keeps its first rows. The place consists of the columns that the
// tables have in common; every row is bound in this order.
std::string insertInto(const std::string& table, Columns place, const Columns& own)
{
    place.insert(place.begin(), { "run_id", "attempt", "step" });
    place.insert(place.end(), own.begin(), own.end());
    return insertText("INSERT INTO " + table, place) + " ON CONFLICT DO NOTHING";
}

PhaseMemory phaseIn(Query& row)
{
    PhaseMemory phase;
    phase.phase = enumNamed(row.text(), MemoryPhase::Evaluation).value_or(MemoryPhase::Data);
    row.read(phase.microBatch, phase.samples, phase.beginBytes, phase.endBytes, phase.peakBytes);
    for (CategoryBytes* const part : { &phase.atPeak, &phase.atEnd })
        for (std::int64_t& bytes : *part)
            row.read(bytes);
    row.read(phase.cachedBytes, phase.otherBytes);
    return phase;
}

// A window's or an evaluation's rows: those of one attempt at one step.
struct Place {
    std::int64_t step = 0;
    std::int64_t attempt = 0;
};

// A row is at the step that its window became, whatever its samples.
constexpr std::int64_t kAnySamples = 0;
constexpr std::size_t kAllPlaces = std::numeric_limits<std::size_t>::max();

// The ranges of undamaged batches, outside of which an export reads nothing.
bool isIn(const std::vector<RowRange>& ranges, const Place& place)
{
    return std::any_of(ranges.begin(), ranges.end(), [&](const RowRange& range) {
        return range.attempt == place.attempt && range.firstStep <= place.step
            && place.step <= range.lastStep;
    });
}

const char* const kOfWindows = "phase <> 'evaluation'";
const char* const kOfEvaluations = "phase = 'evaluation'";
const char* const kOfAll = "true";

// The rows of a run that are not superseded. A file of an older format has none.
class StoredMemory {
public:
    StoredMemory(SQLite::Database& database, RunId run)
        : m_database(database)
        , m_run(run)
        , m_superseded(database, run)
        , m_format(formatOf(database))
    {
    }

    // Distinct places of the rows that `which` allows.
    std::vector<Place> places(const std::string& which) const
    {
        return read("DISTINCT", which + " ORDER BY step, attempt", kAllPlaces);
    }

    std::optional<Place> lastPlace(const std::string& which, std::int64_t upToStep) const
    {
        return firstPlace("step <= " + std::to_string(upToStep) + " AND " + which
            + " ORDER BY step DESC, attempt DESC");
    }

    std::optional<Place> highestPeak(const std::string& which) const
    {
        return firstPlace(which + " ORDER BY peak_bytes DESC, step");
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
        // Built once: an export reads every window of a run.
        static const std::string kSelect =
            "SELECT epoch, seconds, phase, micro_batch, " + listOf(bytesColumns()) + " FROM memory";
        Query rows(m_database,
            kSelect + " WHERE run_id = ? AND step = ? AND attempt = ? AND " + which
                + " ORDER BY position",
            m_run, place.step, place.attempt);
        MemoryMeasured measured { .step = place.step };
        while (rows.next()) {
            rows.read(measured.epoch, measured.seconds);
            measured.phases.push_back(phaseIn(rows));
        }
        return measured;
    }

    MemoryMeasured withOwners(const Place& place, const std::string& which) const
    {
        MemoryMeasured measured = at(place, which);
        for (PhaseMemory& phase : measured.phases) {
            addOwners(phase, place);
            if (m_format >= kKeptSinceFormat && phase.phase == MemoryPhase::Forward)
                addKept(phase, place);
        }
        return measured;
    }

private:
    // At most `most` places of rows that are not superseded, in the order that `which` ends with.
    std::vector<Place> read(const char* how, const std::string& which, std::size_t most) const
    {
        std::vector<Place> found;
        // The table does not exist; a reader sees a run without metering.
        if (m_format < kSinceFormat)
            return found;
        Query rows(m_database,
            std::string("SELECT ") + how + " step, attempt FROM memory WHERE run_id = ? AND "
                + which,
            m_run);
        while (found.size() < most && rows.next()) {
            Place place;
            rows.read(place.step, place.attempt);
            if (!m_superseded.containsMarker(place.attempt, place.step, kAnySamples))
                found.push_back(place);
        }
        return found;
    }

    std::optional<Place> firstPlace(const std::string& which) const
    {
        const std::vector<Place> first = read("", which, 1);
        return first.empty() ? std::nullopt : std::optional(first.front());
    }

    void addOwners(PhaseMemory& phase, const Place& place) const
    {
        Query rows(m_database,
            "SELECT category, layer, operation, bytes FROM memory_owners WHERE run_id = ?"
            " AND step = ? AND attempt = ? AND phase = ? AND micro_batch = ? ORDER BY position",
            m_run, place.step, place.attempt, nameOf(phase.phase), phase.microBatch);
        while (rows.next()) {
            MemoryOwner& owner = phase.owners.emplace_back();
            owner.category = enumNamed(rows.text(), MemoryCategory::Workspace)
                                 .value_or(MemoryCategory::Workspace);
            rows.read(owner.layer, owner.operation, owner.bytes);
        }
    }

    void addKept(PhaseMemory& phase, const Place& place) const
    {
        Query rows(m_database,
            "SELECT layer, bytes FROM memory_kept WHERE run_id = ? AND step = ? AND attempt = ?"
            " AND micro_batch = ? ORDER BY position",
            m_run, place.step, place.attempt, phase.microBatch);
        while (rows.next()) {
            LayerBytes& kept = phase.kept.emplace_back();
            rows.read(kept.layer, kept.bytes);
        }
    }

    SQLite::Database& m_database;
    const RunId m_run;
    const SupersededRows m_superseded;
    const int m_format;
};

} // namespace

MemoryRows::MemoryRows(SQLite::Database& database, RowSeals& seals)
    : m_seals(seals)
    , m_phase(database,
          insertInto(
              "memory", { "position", "epoch", "seconds", "phase", "micro_batch" }, bytesColumns()))
    , m_owner(database,
          insertInto("memory_owners", { "phase", "micro_batch", "position" },
              { "category", "layer", "operation", "bytes" }))
    , m_kept(
          database, insertInto("memory_kept", { "micro_batch", "position" }, { "layer", "bytes" }))
{
}

void MemoryRows::write(RunId run, int attempt, const MemoryMeasured& measured)
{
    std::int64_t position = 0;
    for (const PhaseMemory& phase : measured.phases) {
        RowBinder row(m_phase);
        row.bind(run, attempt, measured.step, ++position, measured.epoch, measured.seconds,
            nameOf(phase.phase), phase.microBatch, phase.samples, phase.beginBytes, phase.endBytes,
            phase.peakBytes);
        for (const CategoryBytes& part : { phase.atPeak, phase.atEnd })
            for (const std::int64_t bytes : part)
                row.bind(bytes);
        row.bind(phase.cachedBytes, phase.otherBytes).run();
        writeParts(run, attempt, measured.step, phase);
    }
    for (const CheckedTable table :
        { CheckedTable::Memory, CheckedTable::MemoryOwners, CheckedTable::MemoryKept })
        m_seals.touch(run, table, attempt, measured.step);
}

void MemoryRows::writeParts(RunId run, int attempt, std::int64_t step, const PhaseMemory& phase)
{
    std::int64_t position = 0;
    for (const MemoryOwner& owner : phase.owners)
        RowBinder(m_owner)
            .bind(run, attempt, step, nameOf(phase.phase), phase.microBatch, ++position,
                nameOf(owner.category), owner.layer, owner.operation, owner.bytes)
            .run();
    position = 0;
    for (const LayerBytes& kept : phase.kept)
        RowBinder(m_kept)
            .bind(run, attempt, step, phase.microBatch, ++position, kept.layer, kept.bytes)
            .run();
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
    // Windows after an evaluation have rows only if their memory changed, so the last evaluation
    // before the next window with rows belongs to this one.
    if (const auto evaluation = stored.lastPlace(kOfEvaluations, stored.lastStepLike(*window)))
        for (PhaseMemory& phase : stored.withOwners(*evaluation, kOfEvaluations).phases)
            measured.phases.push_back(std::move(phase));
    return measured;
}

std::int64_t readHighestStep(SQLite::Database& database, RunId run, Metered which)
{
    const StoredMemory stored(database, run);
    const auto place = stored.highestPeak(which == Metered::Windows ? kOfWindows : kOfAll);
    return place ? place->step : 0;
}

std::map<RunId, std::int64_t> readEvaluationPeaks(
    SQLite::Database& database, std::optional<RunId> only)
{
    std::map<RunId, std::int64_t> peaks;
    if (formatOf(database) < kSinceFormat)
        return peaks;
    Query rows(database,
        std::string("SELECT run_id, attempt, step, max(peak_bytes),"
                    " (SELECT runs.attempt FROM runs WHERE id = run_id) FROM memory WHERE ")
            // Two statements: with "?1 IS NULL OR run_id = ?1" SQLite would not use the index for
            // one run.
            + (only ? "run_id = ?1 AND " : "?1 IS NULL AND ") + kOfEvaluations
            + " GROUP BY run_id, step, attempt",
        only);
    SupersededRowsOfRuns superseded(database);
    while (rows.next()) {
        RunId run {};
        std::int64_t attempt = 0, step = 0, peak = 0, newest = 0;
        rows.read(run, attempt, step, peak, newest);
        if (superseded.containsMarker(run, newest, attempt, step, kAnySamples))
            continue;
        std::int64_t& highest = peaks[run];
        highest = std::max(highest, peak);
    }
    return peaks;
}

std::vector<MemoryMeasured> readMemory(
    SQLite::Database& database, RunId run, const std::vector<RowRange>* whole)
{
    const StoredMemory stored(database, run);
    std::vector<Place> places = stored.places(kOfAll);
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
