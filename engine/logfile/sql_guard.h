// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_log_error.h"

#include <exception>
#include <filesystem>
#include <memory>
#include <string>

namespace accrue {

// The only way to open a run log with SQLite; `flags` are SQLite's. The file may come from anybody,
// so nothing in its schema is executed: no trigger, no view, no function with effects outside the
// database; and pages are validated when they are read. The connection is used by one thread at a
// time. Throws SQLite::Exception.
std::unique_ptr<SQLite::Database> openGuarded(
    const std::string& name, int flags, int busyTimeoutMs);

// Whether SQLite's result code means that the content of the file cannot be right.
bool isDamage(int code);
// The error to throw then. `what` quotes nothing from the file, which may come from anybody.
RunLogError damageOf(const std::filesystem::path& file);
RunLogError damageOf(const std::filesystem::path& file, const Message& what);

// Names the file, the meaning of SQLite's result code, and what to do. It leaves out SQLite's own
// message, which quotes the file.
RunLogError errorOf(const std::filesystem::path& file, int code);

// Rethrows the exception that is being handled, as RunLogError if SQLite threw it.
[[noreturn]] void rethrowInSentence(const std::filesystem::path& file);

// Runs `work`; SQLite's errors become a RunLogError about `file`.
template <typename Work> auto inSentences(const std::filesystem::path& file, Work work)
{
    try {
        return work();
    } catch (const std::exception&) {
        rethrowInSentence(file);
    }
}

} // namespace accrue
