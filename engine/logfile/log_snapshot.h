// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"

#include <filesystem>
#include <memory>

namespace accrue {

// A read-only connection to a run log, opened in the way that its folder permits: in place; as
// `immutable` in a read-only folder without a -wal; on a temporary copy if there is one. Throws
// RunLogError.
class LogSnapshot {
public:
    explicit LogSnapshot(const std::filesystem::path& file);
    ~LogSnapshot();
    LogSnapshot(const LogSnapshot&) = delete;
    LogSnapshot& operator=(const LogSnapshot&) = delete;

    SQLite::Database& database() { return *m_database; }
    // Opened in place, so PRAGMA data_version detects commits; otherwise the file has to be
    // checked.
    bool isLive() const { return m_live; }

private:
    bool openLive(const std::filesystem::path& file);
    void openCopy(const std::filesystem::path& file);

    struct TemporaryFolder;
    std::unique_ptr<TemporaryFolder> m_temporary; // null: no copy. Outlives the database in it
    std::unique_ptr<SQLite::Database> m_database;
    bool m_live = false;
};

// Throws RunLogError if the file is visibly no database, another program's, or newer than format
// `newest`, without changing it or anything beside it except SQLite's index of a -wal. What is not
// visible at this moment is checked by whoever opens the file.
void refuseAtSight(const std::filesystem::path& file, int newest);

} // namespace accrue
