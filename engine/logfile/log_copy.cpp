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

namespace accrue {

void copyLog(const std::filesystem::path& log, const std::filesystem::path& copy)
{
    LogSnapshot snapshot(log);
    Unfinished written(copy);
    inSentences(log, [&] {
        // Page by page: VACUUM INTO fails on a read-only connection to tables with computed columns
        // (SQLite 3.40). With rows that are only in the -wal.
        const auto target = openGuarded(written.path().string(),
            SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, /*busyTimeoutMs=*/0);
        SQLite::Backup backup(*target, snapshot.database());
        backup.executeStep();
    });
    if (!written.place())
        throw RunLogError(Message("runlog.copy_not_written",
                              { { "file", log.string() }, { "copy", copy.string() },
                                  { "reason", std::string(std::strerror(errno)) } }),
            RunLogError::Kind::Machine);
}

} // namespace accrue
