// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"

namespace accrue {

// The views v_runs, v_steps and v_epochs of a log, for other programs such as pandas and DuckDB:
// one column for each key and metric, without superseded rows; docs/run_log_format.md describes
// them. Accrue itself reads no view (sql_guard.h).

// Creates the views, in one transaction, unless those of the file have all columns that this
// program and the rows of the log know: an older program leaves those of a newer one. The file has
// the newest format. Never fails: a log that cannot have them, because another program has the name
// or the disk is full, has none.
void updateViews(SQLite::Database& database);

// Removes them within the caller's transaction, because they would refer to tables that a migration
// replaces. Throws SQLite::Exception.
void dropViews(SQLite::Database& database);

} // namespace accrue
