// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_progress.h"

namespace SQLite {
class Database;
}

namespace accrue {

// The step of the file format from 5 to 6: `runs`, `attempts` and `memory` with their CHECKs, and
// `checksums` of all rows. To be called within the migration's transaction, with foreign keys off.
// Throws RunLogError naming table and run where a row does not pass the CHECKs.
void bringToFormat6(SQLite::Database& database, const LogProgress& progress);

} // namespace accrue
