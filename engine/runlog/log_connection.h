// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/lock_file.h"
#include "engine/runlog/log_file.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace SQLite {
class Database;
}

namespace accrue {

// The one writing connection to a run log and its lock file: opens, migrates, and runs transactions
// when it is this process's turn. Waiting is the caller's: nothing here blocks longer than the disk
// and a quarter of a second of SQLite's own busy time-out. Used by one thread at a time.
class LogConnection {
public:
    // Takes the turn to open, migrates. Blocks up to 10 s for the turn. Throws RunLogError.
    explicit LogConnection(const std::filesystem::path& file);
    // Closes within the turn, unless it cannot be had in a second; then the -wal is left for the
    // next one who opens the file.
    ~LogConnection();
    LogConnection(const LogConnection&) = delete;
    LogConnection& operator=(const LogConnection&) = delete;

    enum class Durability {
        Process, // survives the death of the process
        Power, // and a power failure
    };
    enum class Turn { Taken, HeldElsewhere };

    // Runs `work` in one transaction, if the turn is free. Throws RunLogError in a sentence when it
    // cannot be committed (nothing of it is then in the file), and whatever else `work` throws.
    Turn tryTransaction(Durability durability, const std::function<void()>& work);
    // Gives the file's free pages back; outside of a transaction, in the turn.
    Turn tryCompact();

    bool tryAlive(RunId run) { return m_locks->tryAlive(run); }
    void releaseAlive(RunId run) { m_locks->releaseAlive(run); }
    // Byte of a run whose process has died or ended it is free; true also for a run of this
    // process.
    bool isAliveElsewhere(RunId run) const { return m_locks->isAlive(run); }

    SQLite::Database& database() { return *m_database; }
    const std::filesystem::path& file() const { return m_file; }

private:
    void openDatabase();
    void upgrade();
    void requireSameFile() const;
    Turn inTurn(const std::function<void()>& work);

    std::filesystem::path m_file;
    std::unique_ptr<LockFile> m_locks;
    std::unique_ptr<SQLite::Database> m_database;
    FileIdentity m_identity;
};

} // namespace accrue
