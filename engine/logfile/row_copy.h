// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/checked_table.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <optional>

namespace accrue {

// Copies rows of a run from one log to another, both of the format of this program, value by value.
// Within the caller's transaction on `to`, and sealed by the caller. All throw SQLite::Exception.

// The row of `runs`, without its sweep, whose number is another one there. `as`: the number that it
// gets; empty: a new one. Returns that number.
RunId copyRunRow(SQLite::Database& from, SQLite::Database& to, RunId run, std::optional<RunId> as);

// Its rows of another table. Markers are numbered anew, in their order.
void copyRows(
    SQLite::Database& from, SQLite::Database& to, CheckedTable table, RunId run, RunId as);

} // namespace accrue
