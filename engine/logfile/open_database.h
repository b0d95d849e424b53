// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"

#include <memory>
#include <string>

namespace accrue {

// The only way to open a run log with SQLite; `flags` are SQLite's. The file may come from anybody,
// so nothing in its schema is executed: no trigger, no view, no function with effects outside the
// database; and pages are validated when they are read. The connection is used by one thread at a
// time. Throws SQLite::Exception.
std::unique_ptr<SQLite::Database> openGuarded(
    const std::string& name, int flags, int busyTimeoutMs);

} // namespace accrue
