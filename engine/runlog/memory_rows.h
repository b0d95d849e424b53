// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/logfile/checked_rows.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <SQLiteCpp/Statement.h>

namespace accrue {

class RowSeals;

// Writes the tables `memory`, `memory_owners` and `memory_kept`. Must be called within a
// transaction; throws SQLite::Exception. A window that is emitted twice keeps its first rows.
class MemoryRows {
public:
    MemoryRows(SQLite::Database& database, RowSeals& seals); // borrowed

    void write(RunId run, int attempt, const MemoryMeasured& measured);

private:
    // The owners and the kept layers of a phase.
    void writeParts(RunId run, int attempt, std::int64_t step, const PhaseMemory& phase);

    RowSeals& m_seals;
    SQLite::Statement m_phase, m_owner, m_kept;
};

// As documented at RunLogReader.
std::vector<std::int64_t> readMeteredSteps(SQLite::Database& database, RunId run);
MemoryMeasured readMemoryAt(SQLite::Database& database, RunId run, std::int64_t step);
enum class Metered { Windows, All };
std::int64_t readHighestStep(SQLite::Database& database, RunId run, Metered which);
// In bytes, by run; a run without a metered evaluation has none. nullopt: of all runs.
std::map<RunId, std::int64_t> readEvaluationPeaks(
    SQLite::Database& database, std::optional<RunId> only);
// `whole`: only windows and evaluations of these attempts and steps; null: all.
std::vector<MemoryMeasured> readMemory(
    SQLite::Database& database, RunId run, const std::vector<RowRange>* whole = nullptr);

} // namespace accrue
