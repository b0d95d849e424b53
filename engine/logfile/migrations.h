// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runs/log_progress.h"

#include <string>
#include <utility>
#include <vector>

namespace accrue {

// One step of the file format. The list is append-only; migration i changes a file from version i
// to i + 1.
struct Migration {
    using Rewrite = void (*)(SQLite::Database& database, const LogProgress& progress);

    // Not explicit: most migrations in a list are plain SQL.
    Migration(const char* statements) // NOLINT(google-explicit-constructor)
        : sql(statements)
    {
    }
    Migration(std::string statements, Rewrite work = nullptr) // NOLINT(google-explicit-constructor)
        : sql(std::move(statements))
        , rewrite(work)
    {
    }
    std::string sql; // several statements
    Rewrite rewrite = nullptr; // for what SQL alone cannot do; runs after it
};
const std::vector<Migration>& migrations();
int currentVersion();

} // namespace accrue
