// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/keys.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

namespace accrue {

// The rows of `settings`, of a run of Accrue's and of any other. Within the caller's transaction,
// and sealed by the caller. Both throw SQLite::Exception.
void insertSettings(SQLite::Database& database, RunId run, const Settings& settings);
Settings readSettings(SQLite::Database& database, RunId run); // by their keys' bytes

} // namespace accrue
