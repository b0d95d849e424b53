// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/queue_rows.h"

#include "engine/logfile/checked_table.h"
#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"

#include <zlib.h>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

bool hasQueue(SQLite::Database& database)
{
    return formatOf(database) >= kQueueSinceFormat;
}

// A sweep belongs to no run, so that no batch of `checksums` covers its row: it has its own.
std::int64_t checksumOf(const std::string& name, const std::string& definition)
{
    const std::string covered = name + '\0' + definition;
    return static_cast<std::int64_t>(crc32(0, reinterpret_cast<const Bytef*>(covered.data()),
        static_cast<uInt>(covered.size())));
}

} // namespace

std::map<RunId, QueuePlace> readQueue(SQLite::Database& database)
{
    std::map<RunId, QueuePlace> places;
    if (!hasQueue(database))
        return places;
    Query rows(database,
        "SELECT run_id, position, held, begun, failures, rung, predicted_bytes,"
        " predicted_seconds, added_ms FROM queue");
    while (rows.next()) {
        RunId run {};
        rows.read(run);
        QueuePlace& place = places[run];
        rows.read(place.position, place.held, place.begun, place.failures, place.rung,
            place.predictedBytes, place.predictedSeconds, place.addedMs);
    }
    return places;
}

bool isQueueHeld(SQLite::Database& database)
{
    return hasQueue(database)
        && firstOf<bool>(database, "SELECT held FROM queue_hold").value_or(false);
}

bool isStopRequested(SQLite::Database& database, RunId run)
{
    return hasQueue(database)
        && firstOf<bool>(database, "SELECT stop FROM queue WHERE run_id = ?", run).value_or(false);
}

std::vector<SweepRecord> readSweeps(SQLite::Database& database)
{
    std::vector<SweepRecord> sweeps;
    if (!hasQueue(database))
        return sweeps;
    Query rows(database,
        "SELECT id, name, created_ms, definition, checksum FROM sweeps ORDER BY id DESC");
    while (rows.next()) {
        SweepRecord& sweep = sweeps.emplace_back();
        rows.read(sweep.id, sweep.name, sweep.createdMs, sweep.definition);
        if (rows.integer() != checksumOf(sweep.name, sweep.definition))
            sweep.definition.clear();
    }
    return sweeps;
}

std::int64_t insertSweep(SQLite::Database& database, const std::string& token,
    const std::string& name, std::int64_t createdMs, const std::string& definition)
{
    execute(database,
        insertText("INSERT INTO sweeps", { "token", "name", "created_ms", "definition", "checksum" }),
        token, name, createdMs, definition, checksumOf(name, definition));
    return database.getLastInsertRowid();
}

void deleteEmptySweeps(SQLite::Database& database)
{
    execute(database,
        "DELETE FROM sweeps WHERE id NOT IN"
        " (SELECT sweep_id FROM runs WHERE sweep_id IS NOT NULL)");
}

} // namespace accrue
