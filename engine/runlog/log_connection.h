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
#include <string>
#include <vector>

namespace accrue {

// What to report where another process has held the turn for longer than `patience`.
Message heldElsewhere(const std::filesystem::path& file, std::chrono::seconds patience);

// The one writing connection to a run log and its lock file: opens, migrates, and runs transactions
// when it is this process's turn. Waiting is the caller's: beyond the constructor nothing here
// blocks longer than the disk and a quarter of a second of SQLite's own busy time-out. Used by one
// thread at a time.
//
// A log that is moved, deleted or replaced while it is open is noticed at the next transaction. One
// that was deleted while this process writes a run is put back, with all that was committed; one
// that was moved away is waited for; a file in its place is used when it holds the runs that are
// being written (a copy that was put back), and is an error otherwise.
class LogConnection {
public:
    // Takes the turn to open, brings an older file up to date by `list` after a backup copy, when
    // nobody else writes; `progress` is told of that. Blocks up to 10 s for the turn. Throws
    // RunLogError. `list` is borrowed.
    explicit LogConnection(const std::filesystem::path& file, const LogProgress& progress = {},
        const std::vector<Migration>& list = migrations());
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
    // Gives the file's free pages back.
    Turn tryCompact();
    // What was committed to survive the process survives a power failure from now on, too.
    Turn trySync();

    // A run that this process writes from now on, known by its id and token together.
    void holdAlive(RunId run, const std::string& token);
    void releaseAlive(RunId run);
    bool isMine(RunId run) const { return m_mine.count(run) > 0; }
    bool isAliveElsewhere(RunId run) const { return m_locks->isAlive(run); }

    // What happened to the file and belongs into the log; mostly empty. Cleared by the next
    // successful transaction.
    const Message& notice() const { return m_notice; }

    // Valid within a transaction only: the file may be opened anew between two.
    SQLite::Database& database() { return *m_database; }
    EventRows& rows() { return *m_rows; }
    // Who changes rows past rows() names them here; their checksums are written before the commit.
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
    Descriptor m_node; // names the open file without opening it, to see whether it has still a name
    std::map<RunId, std::string> m_mine;
    Message m_notice;
};

} // namespace accrue
