// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/log_copy.h"

#include "engine/base/unfinished.h"
#include "engine/logfile/log_snapshot.h"
#include "engine/logfile/sql_guard.h"
#include "engine/runs/run_log_error.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

namespace accrue {

namespace {

// Damage is the log's; whatever else fails, fails because of the place of the copy.
void copyPages(SQLite::Database& source, const std::filesystem::path& log,
    const std::filesystem::path& written, const std::filesystem::path& copy)
{
    inSentences(copy, [&] {
        // Page by page: VACUUM INTO fails on a read-only connection to tables with computed columns
        // (SQLite 3.40). With rows that are only in the -wal.
        const auto target = openGuarded(
            written.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, /*busyTimeoutMs=*/0);
        SQLite::Backup backup(*target, source);
        try {
            backup.executeStep();
        } catch (const SQLite::Exception& error) {
            if (isDamage(error.getErrorCode()))
                throw damageOf(log);
            throw;
        }
    });
}

} // namespace

void copyLog(const std::filesystem::path& log, const std::filesystem::path& copy,
    const std::function<void(const std::filesystem::path&)>& prepare)
{
    LogSnapshot snapshot(log);
    Unfinished written(copy);
    copyPages(snapshot.database(), log, written.path(), copy);
    if (prepare)
        prepare(written.path());
    if (!written.place())
        throw RunLogError(Message("runlog.copy_not_written",
                              { { "file", log.string() }, { "copy", copy.string() },
                                  { "reason", std::string(std::strerror(errno)) } }),
            RunLogError::Kind::Machine);
}

} // namespace accrue
