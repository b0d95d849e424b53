// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <map>
#include <vector>

namespace accrue {

// Which rows of a run are superseded: rows of an attempt after the place from which a later attempt
// resumed. They stay in the file, but readers leave them out. A row at exactly that place is valid:
// it was written before the checkpoint there.
class SupersededRows {
public:
    // Throws SQLite::Exception. Reads only the run's row if there was one attempt only.
    SupersededRows(SQLite::Database& database, RunId run);

    bool none() const { return m_ends.empty(); } // there was one attempt only
    bool contains(std::int64_t attempt, std::int64_t microBatches) const;
    // A marker of a new learning rate is at the first step that uses it, after `samples`.
    bool containsMarker(std::int64_t attempt, std::int64_t step, std::int64_t samples) const;

private:
    // Up to where the rows of an attempt, and of earlier ones, count.
    struct End {
        std::int64_t attempt = 0;
        std::int64_t step = 0;
        std::int64_t samples = 0;
        std::int64_t microBatches = 0;
    };
    const End* endOf(std::int64_t attempt) const; // null: all its rows count

    std::vector<End> m_ends; // one for each attempt after the first, in their order
};

// The same for rows of many runs: reads the bounds of a run once, and only if it was resumed.
class SupersededRowsOfRuns {
public:
    explicit SupersededRowsOfRuns(SQLite::Database& database) // borrowed
        : m_database(database)
    {
    }
    // `newest`: the run's newest attempt according to its row. Throws SQLite::Exception.
    bool containsMarker(RunId run, std::int64_t newest, std::int64_t attempt, std::int64_t step,
        std::int64_t samples);

private:
    SQLite::Database& m_database;
    std::map<RunId, SupersededRows> m_runs; // that were resumed
};

} // namespace accrue
