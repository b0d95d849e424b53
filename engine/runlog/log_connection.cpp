// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_connection.h"

#include "engine/runlog/run_log_error.h"
#include "engine/runlog/schema.h"
#include "engine/runlog/sql_guard.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include <sqlite3.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace {

constexpr int kBusyTimeoutMs = 250;
constexpr std::chrono::seconds kOpenPatience { 10 };
constexpr std::chrono::seconds kClosePatience { 1 };

// For the two moments without a thread that could be woken: opening and closing.
bool waitForTurn(LockFile& locks, std::chrono::milliseconds patience)
{
    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock<std::mutex> lock(mutex);
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (std::chrono::milliseconds pause { 1 }; !locks.tryTurn();
         pause = std::min(2 * pause, std::chrono::milliseconds(20))) {
        if (std::chrono::steady_clock::now() >= deadline)
            return false;
        never.wait_for(lock, pause);
    }
    return true;
}

class TurnGuard {
public:
    explicit TurnGuard(LockFile& locks)
        : m_locks(locks)
    {
    }
    ~TurnGuard() { m_locks.endTurn(); }
    TurnGuard(const TurnGuard&) = delete;
    TurnGuard& operator=(const TurnGuard&) = delete;

private:
    LockFile& m_locks;
};

} // namespace

LogConnection::LogConnection(const std::filesystem::path& file)
    : m_file(file)
{
    requireWritable(file);
    m_locks = std::make_unique<LockFile>(file, LockFile::Purpose::Writing);
    if (!waitForTurn(*m_locks, kOpenPatience))
        throw RunLogError("The run log " + file.string()
            + " has been kept busy by another process for 10 seconds. Try again when it is done.");
    const TurnGuard turn(*m_locks);
    inSentences(file, [this] {
        openDatabase();
        upgrade();
    });
    m_locks->tryPresence();
    m_identity = identityOf(file).value_or(FileIdentity {});
}

LogConnection::~LogConnection()
{
    if (!waitForTurn(*m_locks, kClosePatience)) {
        sqlite3_db_config(m_database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        m_database.reset();
        return;
    }
    const TurnGuard turn(*m_locks);
    m_database.reset();
}

void LogConnection::openDatabase()
{
    m_database = std::make_unique<SQLite::Database>(
        m_file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    // Before anything is changed: a foreign file stays as it is.
    requireOurs(*m_database, m_file, currentVersion());
    m_database->exec("PRAGMA journal_mode = WAL");
    m_database->exec("PRAGMA foreign_keys = ON");
    m_database->exec("PRAGMA synchronous = NORMAL");
}

void LogConnection::upgrade()
{
    const int version = requireOurs(*m_database, m_file, currentVersion());
    if (version == currentVersion())
        return;
    if (version > 0) {
        if (!m_locks->tryOnlyPresence())
            throw RunLogError("The run log " + m_file.string() + " has the older format "
                + std::to_string(version)
                + " and another process is writing to it. End that run, then open the log again to"
                  " bring it up to date.");
        backUp(*m_database, m_file, version);
    }
    migrate(*m_database, migrations());
}

void LogConnection::requireSameFile() const
{
    const std::optional<FileIdentity> now = identityOf(m_file);
    if (now == m_identity)
        return;
    if (now)
        throw RunLogError("The run log " + m_file.string()
            + " was replaced by another file while it was open. Move the original back to its "
              "place:"
              " what this run tells waits in memory until then.");
    throw RunLogError("The run log " + m_file.string()
        + " was moved or deleted while it was open. Move it back to its place: what this run tells"
          " waits in memory until then.");
}

LogConnection::Turn LogConnection::inTurn(const std::function<void()>& work)
{
    if (!m_locks->tryTurn())
        return Turn::HeldElsewhere;
    const TurnGuard turn(*m_locks);
    requireSameFile();
    inSentences(m_file, work);
    return Turn::Taken;
}

LogConnection::Turn LogConnection::tryTransaction(
    Durability durability, const std::function<void()>& work)
{
    return inTurn([&] {
        m_database->exec(durability == Durability::Power ? "PRAGMA synchronous = FULL"
                                                         : "PRAGMA synchronous = NORMAL");
        SQLite::Transaction transaction(*m_database, SQLite::TransactionBehavior::IMMEDIATE);
        work();
        transaction.commit();
    });
}

LogConnection::Turn LogConnection::tryCompact()
{
    return inTurn([&] {
        m_database->exec("VACUUM");
        m_database->exec("PRAGMA wal_checkpoint(TRUNCATE)");
    });
}

} // namespace accrue
