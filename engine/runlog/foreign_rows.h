// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/foreign_run.h"

#include <cstdint>

namespace accrue {

class LogConnection;

enum class ImportResult : std::uint8_t { Added, Updated, Unchanged };

struct ImportedRun {
    RunId run {};
    ImportResult result = ImportResult::Unchanged;
};

// Writes a run of another program, or brings the one with its token up to date, whose name, note,
// tags and archive the user may have changed and which keeps them. Must be called within a
// transaction of `connection`. Throws SQLite::Exception.
ImportedRun writeForeignRun(LogConnection& connection, const ForeignRun& run);

} // namespace accrue
