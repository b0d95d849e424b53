// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/log_damage.h"
#include "engine/logfile/sqlite_types.h"

#include <vector>

namespace accrue {

// Where what `runs` and `summaries` say of a run is not what its rows say that no later attempt
// superseded. Of any format. Throws SQLite::Exception.
std::vector<LogDamage> wrongSums(SQLite::Database& database, RunId run);

} // namespace accrue
