// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runs/log_progress.h"

namespace accrue {

// The step of the file format from 5 to 6, when its tables are made: moves the rows of `runs`,
// `attempts` and `memory` to those with CHECKs, and writes the `checksums` of all rows. To be
// called within the migration's transaction, with foreign keys off. Throws RunLogError naming table
// and run where a row does not pass the CHECKs.
void moveToFormat6(SQLite::Database& database, const LogProgress& progress);

} // namespace accrue
