// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/queue_rows.h"

#include "engine/logfile/checked_table.h"
#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <zlib.h>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

bool hasQueue(SQLite::Database& database)
{
    return formatOf(database) >= kQueueSinceFormat;
}

// "7,20". What is no such list, in a file that anybody may have written, has no rungs.
std::vector<std::int64_t> rungsIn(const std::string& text)
{
    std::vector<std::int64_t> rungs;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end; ++at) { // the character behind a number
        std::int64_t rung = 0;
        const auto [behind, error] = std::from_chars(at, end, rung);
        const bool isMore = rung > (rungs.empty() ? 0 : rungs.back());
        if (error != std::errc() || !isMore || (behind != end && *behind != ','))
            return {};
        rungs.push_back(rung);
        at = behind;
    }
    return rungs;
}

// A sweep belongs to no run, so that no batch of `checksums` covers its row: it has its own.
std::int64_t checksumOf(const std::string& name, const std::string& definition)
{
    const std::string covered = name + '\0' + definition;
    return static_cast<std::int64_t>(crc32(
        0, reinterpret_cast<const Bytef*>(covered.data()), static_cast<uInt>(covered.size())));
}

} // namespace

std::map<RunId, QueuePlace> readQueue(SQLite::Database& database)
{
    std::map<RunId, QueuePlace> places;
    if (!hasQueue(database))
        return places;
    Query rows(database,
        "SELECT run_id, position, held, begun, failures, rungs, rung, predicted_bytes,"
        " predicted_seconds, added_ms, step,"
        // One that a signal stopped while it was evaluated at its rung has no value to compare.
        " CASE WHEN rungs = '' OR begun THEN 0 ELSE coalesce((SELECT max(step) FROM evaluations"
        " WHERE evaluations.run_id = id), 0) END"
        " FROM queue JOIN runs ON id = run_id");
    while (rows.next()) {
        RunId run {};
        rows.read(run);
        QueuePlace& place = places[run];
        rows.read(place.position, place.held, place.begun, place.failures);
        place.rungs = rungsIn(rows.text());
        std::int64_t step = 0, evaluated = 0;
        rows.read(place.rung, place.predictedBytes, place.predictedSeconds, place.addedMs, step,
            evaluated);
        const std::optional<std::int64_t> next = nextRung(place);
        place.atRung = next && !place.begun && std::min(step, evaluated) >= *next;
    }
    return places;
}

std::string textOfRungs(const std::vector<std::int64_t>& rungs)
{
    std::string text;
    for (const std::int64_t rung : rungs)
        text += (text.empty() ? "" : ",") + std::to_string(rung);
    return text;
}

bool isQueueHeld(SQLite::Database& database)
{
    return hasQueue(database)
        && firstOf<bool>(database, "SELECT held FROM queue_hold").value_or(false);
}

std::vector<SweepRecord> readSweeps(SQLite::Database& database)
{
    std::vector<SweepRecord> sweeps;
    if (!hasQueue(database))
        return sweeps;
    Query rows(
        database, "SELECT id, name, created_ms, definition, checksum FROM sweeps ORDER BY id DESC");
    while (rows.next()) {
        SweepRecord& sweep = sweeps.emplace_back();
        rows.read(sweep.id, sweep.name, sweep.createdMs, sweep.definition);
        if (rows.integer() != checksumOf(sweep.name, sweep.definition))
            sweep.definition.clear();
    }
    return sweeps;
}

QueueState readQueueState(SQLite::Database& database)
{
    QueueState state { .held = isQueueHeld(database), .sweeps = readSweeps(database) };
    if (hasQueue(database))
        state.toStop = allOf<RunId>(database, "SELECT run_id FROM queue WHERE stop");
    return state;
}

std::int64_t insertSweep(SQLite::Database& database, const std::string& token,
    const std::string& name, std::int64_t createdMs, const std::string& definition)
{
    execute(database,
        insertText(
            "INSERT INTO sweeps", { "token", "name", "created_ms", "definition", "checksum" }),
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
