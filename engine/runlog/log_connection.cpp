// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_connection.h"

#include "engine/runlog/log_snapshot.h"
#include "engine/runlog/open_database.h"
#include "engine/runlog/run_log_error.h"
#include "engine/runlog/sql_guard.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
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

// Whether closing the connection leaves the -wal as it is, neither checkpointed nor deleted.
void keepWal(SQLite::Database& database, bool keep = true)
{
    sqlite3_db_config(
        database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr);
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

// What is not in the -wal any more was synced when it moved into the file.
void syncWal(const std::filesystem::path& file)
{
    const int wal = open((file.string() + "-wal").c_str(), O_RDONLY | O_CLOEXEC);
    if (wal < 0 && errno == ENOENT)
        return;
    const bool synced = wal >= 0 && fsync(wal) == 0;
    const int error = errno;
    if (wal >= 0)
        close(wal);
    if (!synced)
        throw RunLogError("The run log " + file.string() + " cannot be brought to the disk ("
                + std::strerror(error) + "). Free some space or look at the disk.",
            RunLogError::Kind::Machine);
}

void removeWithCompanions(const std::filesystem::path& file)
{
    std::error_code ignored;
    for (const char* suffix : { "", "-wal", "-shm" })
        std::filesystem::remove(file.string() + suffix, ignored);
}

} // namespace

LogConnection::LogConnection(const std::filesystem::path& file, const LogProgress& progress,
    const std::vector<Migration>& list)
    : m_file(file)
    , m_migrations(list)
{
    requireWritable(file);
    if (identityOf(file))
        refuseAtSight(file, static_cast<int>(list.size()));
    m_locks = std::make_unique<LockFile>(file, LockFile::Purpose::Writing);
    if (!waitForTurn(*m_locks, kOpenPatience))
        throw RunLogError("The run log " + file.string()
                + " has been kept busy by another process for 10 seconds. Try again when it is"
                  " done.",
            RunLogError::Kind::Machine);
    const TurnGuard turn(*m_locks);
    inSentences(file, [&] {
        std::unique_ptr<SQLite::Database> database = openDatabase();
        upgrade(*database, progress);
        adopt(std::move(database));
    });
}

LogConnection::~LogConnection()
{
    if (waitForTurn(*m_locks, kClosePatience)) {
        const TurnGuard turn(*m_locks);
        closeDatabase();
    } else {
        keepWal(*m_database);
        closeDatabase();
    }
}

LogConnection::Turn LogConnection::tryTransaction(
    Durability durability, const std::function<void()>& work)
{
    const Turn turn = inTurn([&] {
        m_database->exec(durability == Durability::Power ? "PRAGMA synchronous = FULL"
                                                         : "PRAGMA synchronous = NORMAL");
        SQLite::Transaction transaction(*m_database, SQLite::TransactionBehavior::IMMEDIATE);
        m_rows->forget(); // what a transaction that failed has left
        m_seals->forget();
        work();
        m_rows->finish();
        m_seals->write();
        transaction.commit();
    });
    if (turn == Turn::Taken)
        m_notice.clear();
    return turn;
}

LogConnection::Turn LogConnection::tryCompact()
{
    return inTurn([&] {
        m_database->exec("VACUUM");
        emptyWal();
    });
}

LogConnection::Turn LogConnection::trySync()
{
    return inTurn([&] { syncWal(m_file); });
}

void LogConnection::holdAlive(RunId run, const std::string& token)
{
    m_mine[run] = token;
    m_locks->tryAlive(run);
}

void LogConnection::releaseAlive(RunId run)
{
    m_mine.erase(run);
    m_locks->releaseAlive(run);
}

LogConnection::Turn LogConnection::inTurn(const std::function<void()>& work)
{
    if (!m_locks->isStillThere())
        renewLocks();
    if (!m_locks->tryTurn())
        return Turn::HeldElsewhere;
    const TurnGuard turn(*m_locks);
    inSentences(m_file, [&] {
        followFile();
        work();
    });
    return Turn::Taken;
}

// A new log gets its name only when it is one, so that a reader never meets it half made.
void LogConnection::createWhole() const
{
    const std::filesystem::path fresh = m_file.string() + ".new";
    removeWithCompanions(fresh);
    try {
        const auto database = openGuarded(
            fresh.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
        database->exec("PRAGMA journal_mode = WAL");
        migrate(*database, m_migrations);
        // Closing would do so, too, but not tell that the disk is full.
        database->exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (...) {
        removeWithCompanions(fresh);
        throw;
    }
    removeWithCompanions(m_file); // a -wal of a deleted log would be taken for the new one's
    std::filesystem::rename(fresh, m_file);
}

// Opens what lies at the path and looks at it before anything is changed: a foreign file stays as
// it is.
std::unique_ptr<SQLite::Database> LogConnection::openDatabase() const
{
    if (!identityOf(m_file))
        createWhole();
    auto database =
        openGuarded(m_file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    keepWal(*database);
    requireOurs(*database, m_file, static_cast<int>(m_migrations.size()));
    requireFormatFits(*database, m_file);
    keepWal(*database, false);
    database->exec("PRAGMA journal_mode = WAL");
    database->exec("PRAGMA foreign_keys = ON");
    return database;
}

void LogConnection::upgrade(SQLite::Database& database, const LogProgress& progress)
{
    const int newest = static_cast<int>(m_migrations.size());
    const int version = requireOurs(database, m_file, newest);
    if (version > 0 && version < newest) {
        if (!m_locks->tryOnlyPresence())
            throw RunLogError("The run log " + m_file.string() + " has the older format "
                    + std::to_string(version)
                    + " and another process is writing to it. End that run, then open the log again"
                      " to bring it up to date.",
                RunLogError::Kind::Machine);
        bringUpToDate(database, version, progress);
    } else {
        migrate(database, m_migrations);
    }
    m_locks->tryPresence(); // from alone, or from none, to one of many
}

// A backup copy is of no use where the file stays as it was; then one of an earlier day stays, too.
void LogConnection::bringUpToDate(
    SQLite::Database& database, int version, const LogProgress& progress)
{
    if (progress)
        progress(0, "Copying the run log to " + backUpOf(m_file, version).string());
    const std::filesystem::path copy = backUp(database, m_file, version);
    try {
        migrate(database, m_migrations, progress);
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove(copy, ignored);
        throw;
    }
    std::error_code ignored; // otherwise it stays where it is
    std::filesystem::rename(copy, backUpOf(m_file, version), ignored);
}

void LogConnection::adopt(std::unique_ptr<SQLite::Database> database)
{
    forgetStatements();
    m_database = std::move(database);
    m_seals = std::make_unique<RowSeals>(*m_database);
    m_rows = std::make_unique<EventRows>(*m_database, *m_seals);
    m_identity = identityOf(m_file).value_or(FileIdentity {});
    if (m_node >= 0)
        close(m_node);
    m_node = open(m_file.c_str(), O_PATH | O_CLOEXEC);
}

void LogConnection::forgetStatements()
{
    m_rows.reset();
    m_seals.reset();
}

void LogConnection::closeDatabase()
{
    forgetStatements();
    // Closing removes the -wal by its name, which may be another file's by now.
    if (identityOf(m_file) != m_identity) {
        emptyWal();
        keepWal(*m_database);
    }
    m_database.reset();
    if (m_node >= 0)
        close(m_node);
    m_node = -1;
}

// Somebody deleted the lock file: the locks we hold are on a file that nobody else can find.
void LogConnection::renewLocks()
{
    m_locks = std::make_unique<LockFile>(m_file, LockFile::Purpose::Writing);
    m_locks->tryPresence();
    for (const auto& [run, token] : m_mine)
        m_locks->tryAlive(run);
}

void LogConnection::followFile()
{
    std::optional<FileIdentity> now = identityOf(m_file);
    if (now == m_identity)
        return;
    emptyWal();
    if (!now && !wasDeleted())
        throw RunLogError("The run log " + m_file.string()
            + " was moved away while it was open. Move it back to its place.");
    if (!now && !m_mine.empty())
        putBack();
    std::unique_ptr<SQLite::Database> database = openDatabase();
    upgrade(*database, {});
    if (!holdsMyRuns(*database))
        throw RunLogError("The run log " + m_file.string()
            + " was replaced by another file while a run was writing to it. Put the original back"
              " in its place.");
    keepWal(*m_database);
    adopt(std::move(database));
}

// All that was committed moves into the file itself. The -wal that is left, perhaps beside another
// file under the old name, would otherwise be taken for that file's.
void LogConnection::emptyWal()
{
    m_database->tryExec("PRAGMA wal_checkpoint(TRUNCATE)");
}

void LogConnection::putBack()
{
    const std::filesystem::path copy = m_file.string() + ".restored";
    removeWithCompanions(copy);
    SQLite::Statement vacuum(*m_database, "VACUUM INTO ?");
    vacuum.bind(1, copy.string());
    vacuum.exec();
    removeWithCompanions(m_file);
    std::filesystem::rename(copy, m_file);
    m_notice = "The run log " + m_file.string()
        + " was deleted while this run was writing to it; it was put back with everything in it.";
}

bool LogConnection::wasDeleted() const
{
    struct stat status { };
    return m_node < 0 || fstat(m_node, &status) != 0 || status.st_nlink == 0;
}

bool LogConnection::holdsMyRuns(SQLite::Database& database) const
{
    SQLite::Statement select(database, "SELECT 1 FROM runs WHERE id = ? AND token = ?");
    for (const auto& [run, token] : m_mine) {
        select.bind(1, numberOf(run));
        select.bind(2, token);
        if (!select.executeStep())
            return false;
        select.reset();
    }
    return true;
}

} // namespace accrue
