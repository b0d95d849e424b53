// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/log_copy.h"

#include "engine/base/unfinished.h"
#include "engine/logfile/log_snapshot.h"
#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/sql_guard.h"
#include "engine/runs/run_log_error.h"

#include <cerrno>
#include <cstring>
#include <system_error>

namespace accrue {

void copyLog(const std::filesystem::path& log, const std::filesystem::path& copy)
{
    LogSnapshot snapshot(log);
    // Through SQLite, so that the copy includes rows that are only in the -wal.
    Unfinished written(copy);
    inSentences(log, [&] {
        requireOurs(snapshot.database(), log, currentVersion());
        execute(snapshot.database(), "VACUUM INTO ?", written.path().string());
    });
    if (!written.place())
        throw RunLogError(Message("runlog.copy_not_written",
                              { { "file", log.string() }, { "copy", copy.string() },
                                  { "reason", std::string(std::strerror(errno)) } }),
            RunLogError::Kind::Machine);
}

} // namespace accrue
