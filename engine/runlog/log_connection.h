// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/descriptor.h"
#include "engine/logfile/lock_file.h"
#include "engine/logfile/log_file.h"
#include "engine/logfile/row_seals.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runlog/event_rows.h"
#include "engine/runs/log_progress.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace accrue {

// The message if another process has held the turn for longer than `patience`.
Message heldElsewhere(const std::filesystem::path& file, std::chrono::seconds patience);

// The one writing connection to a run log and its lock file: opens, migrates, and runs transactions
// when it is this process's turn. The caller does the waiting: after the constructor, nothing here
// blocks longer than the disk and a quarter of a second of SQLite's own busy time-out. Used by one
// thread at a time.
//
// The next transaction notices a log that was moved, deleted or replaced while it was open. One
// that was deleted while this process writes a run is restored with everything that was committed;
// one that was moved away is waited for; a file in its place is used if it contains the runs that
// are being written (a restored copy), and is an error otherwise.
class LogConnection {
public:
    // Takes the turn to open and, if nobody else writes, migrates an older file by `list` after a
    // backup copy; `progress` reports that. Blocks up to 10 s for the turn. Throws RunLogError.
    // `list` is borrowed.
    explicit LogConnection(const std::filesystem::path& file, const LogProgress& progress = {},
        const std::vector<Migration>& list = migrations());
    // Closes within the turn, unless it does not get the turn within a second; then the -wal is
    // left for the next process that opens the file.
    ~LogConnection();
    LogConnection(const LogConnection&) = delete;
    LogConnection& operator=(const LogConnection&) = delete;

    enum class Durability {
        Process, // survives the death of the process
        Power, // and a power failure
    };
    enum class Turn { Taken, HeldElsewhere };

    // Runs `work` in one transaction, if the turn is free. Throws RunLogError with a sentence if it
    // cannot be committed (nothing of it is then in the file), and whatever else `work` throws.
    Turn tryTransaction(Durability durability, const std::function<void()>& work);
    // Returns the file's free pages to the file system.
    Turn tryCompact();
    // Makes what was committed with Durability::Process survive a power failure, too.
    Turn trySync();

    // Locks a run that this process writes from now on, identified by its id and token together.
    void holdAlive(RunId run, const std::string& token);
    void releaseAlive(RunId run);
    // Locks a run of the queue that this process is about to begin or to resume: nobody else takes
    // it meanwhile. holdAlive makes it one that is written.
    void claim(RunId run, const std::string& token);
    bool isMine(RunId run) const { return m_mine.count(run) > 0; }
    bool isClaimed(RunId run) const { return m_claimed.count(run) > 0; }
    bool isAliveElsewhere(RunId run) const { return m_locks->isAlive(run); }

    // What happened to the file and belongs in the log; usually empty. Cleared by the next
    // successful transaction.
    const Message& notice() const { return m_notice; }

    // Valid within a transaction only: the file may be opened again between two.
    SQLite::Database& database() { return *m_database; }
    EventRows& rows() { return *m_rows; }
    // Callers that change rows without rows() register them here; their checksums are written
    // before the commit.
    RowSeals& seals() { return *m_seals; }
    const std::filesystem::path& file() const { return m_file; }

private:
    Turn inTurn(const std::function<void()>& work);
    void createWhole() const;
    std::unique_ptr<SQLite::Database> openDatabase() const;
    void upgrade(SQLite::Database& database, const LogProgress& progress);
    void bringUpToDate(SQLite::Database& database, int version, const LogProgress& progress);
    void adopt(std::unique_ptr<SQLite::Database> database);
    void forgetStatements();
    void closeDatabase();

    void renewLocks();
    void followFile();
    void emptyWal();
    void putBack();
    bool wasDeleted() const;
    bool holdsMyRuns(SQLite::Database& database) const;

    std::filesystem::path m_file;
    const std::vector<Migration>& m_migrations;
    std::unique_ptr<LockFile> m_locks;
    std::unique_ptr<SQLite::Database> m_database;
    std::unique_ptr<RowSeals> m_seals; // of m_database
    std::unique_ptr<EventRows> m_rows; // of m_database and m_seals
    FileIdentity m_identity;
    // refers to the open file without opening it, to see whether it still has a name
    Descriptor m_node;
    std::map<RunId, std::string> m_mine;
    std::set<RunId> m_claimed; // of m_mine
    Message m_notice;
};

} // namespace accrue
