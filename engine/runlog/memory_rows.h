// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/runlog/checked_rows.h"
#include "engine/runlog/run_record.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace SQLite {
class Database;
class Statement;
} // namespace SQLite

namespace accrue {

class RowSeals;

// Writes the tables `memory`, `memory_owners` and `memory_kept`. To be called within a transaction;
// throws SQLite::Exception. A window told twice is kept as it was first.
class MemoryRows {
public:
    MemoryRows(SQLite::Database& database, RowSeals& seals); // borrowed
    ~MemoryRows();

    void write(RunId run, int attempt, const MemoryMeasured& measured);

private:
    void writeOwners(
        RunId run, int attempt, const MemoryMeasured& measured, const PhaseMemory& phase);

    void writeKept(
        RunId run, int attempt, const MemoryMeasured& measured, const PhaseMemory& phase);

    RowSeals& m_seals;
    std::unique_ptr<SQLite::Statement> m_phase, m_owner, m_kept;
};

// As RunLogReader says.
std::vector<std::int64_t> readMeteredSteps(SQLite::Database& database, RunId run);
MemoryMeasured readMemoryAt(SQLite::Database& database, RunId run, std::int64_t step);
std::int64_t readHighestWindow(SQLite::Database& database, RunId run);
// In bytes, by run; a run of which no evaluation was metered has none. nullopt: of all runs.
std::map<RunId, std::int64_t> readEvaluationPeaks(
    SQLite::Database& database, std::optional<RunId> only);
MemoryMeasured readMemoryPeak(SQLite::Database& database, RunId run);
// `whole`: only windows and evaluations of these attempts and steps; null: all.
std::vector<MemoryMeasured> readMemory(
    SQLite::Database& database, RunId run, const std::vector<RowRange>* whole = nullptr);

} // namespace accrue
