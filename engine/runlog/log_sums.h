// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/log_damage.h"
#include "engine/logfile/sqlite_types.h"

#include <vector>

namespace accrue {

// Where `runs` and `summaries` differ from the rows of a run that no later attempt superseded. For
// any format. Throws SQLite::Exception.
std::vector<LogDamage> wrongSums(SQLite::Database& database, RunId run);

} // namespace accrue
