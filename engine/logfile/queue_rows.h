// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"
#include "engine/runs/sweep_record.h"

#include <map>
#include <string>
#include <vector>

namespace accrue {

// The tables of the queue and of the sweeps. A file of a format before 10 has neither. All throw
// SQLite::Exception.

std::map<RunId, QueuePlace> readQueue(SQLite::Database& database);
std::string textOfRungs(const std::vector<std::int64_t>& rungs); // as `queue.rungs` has them
bool isQueueHeld(SQLite::Database& database); // as a whole

std::vector<SweepRecord> readSweeps(SQLite::Database& database); // newest first
QueueState readQueueState(SQLite::Database& database);
// Within the caller's transaction; returns its id. `token` identifies it in every copy of the log.
std::int64_t insertSweep(SQLite::Database& database, const std::string& token,
    const std::string& name, std::int64_t createdMs, const std::string& definition);
// Those of which no run is left; within the caller's transaction.
void deleteEmptySweeps(SQLite::Database& database);

} // namespace accrue
