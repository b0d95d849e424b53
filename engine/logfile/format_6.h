// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runs/log_progress.h"

namespace accrue {

// The part of the migration from format 5 to 6 that follows when the new tables exist: moves the
// rows of `runs`, `attempts` and `memory` to those with CHECKs, and writes the `checksums` of all
// rows. Must be called within the migration's transaction, with foreign keys off. Throws
// RunLogError naming table and run if a row does not pass the CHECKs.
void moveToFormat6(SQLite::Database& database, const LogProgress& progress);

} // namespace accrue
