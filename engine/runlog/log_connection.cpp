// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_connection.h"

#include "engine/base/unfinished.h"
#include "engine/logfile/log_snapshot.h"
#include "engine/logfile/query.h"
#include "engine/logfile/sql_guard.h"
#include "engine/logfile/views.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

// Every step that touches the file happens within the turn, the lock on byte 0 of the lock file,
// and begins by checking whether the file at the path is still the open one. The -wal is the danger
// in all of this: SQLite finds it by its name, so one that is left beside another file would be
// replayed into that file. Therefore it is emptied before the connection follows the path to
// another file.

namespace accrue {

namespace {

// Our own programs wait for their turn; only other programs, such as a database browser, hold
// SQLite's own locks.
constexpr int kBusyTimeoutMs = 250;
constexpr std::chrono::seconds kOpenPatience { 10 };
constexpr std::chrono::seconds kClosePatience { 1 };

// Makes closing the connection leave the -wal as it is, neither checkpointed nor deleted.
void keepWal(SQLite::Database& database, bool keep = true)
{
    sqlite3_db_config(
        database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr);
}

// Ends the turn even if the work throws; otherwise every other process would wait for this one.
struct EndTurn {
    void operator()(LockFile* locks) const { locks->endTurn(); }
};
using TurnGuard = std::unique_ptr<LockFile, EndTurn>;

// What is no longer in the -wal was synced when it moved into the file.
void syncWal(const std::filesystem::path& file)
{
    const Descriptor wal(open((file.string() + "-wal").c_str(), O_RDONLY | O_CLOEXEC));
    if (!wal.isOpen() && errno == ENOENT)
        return;
    if (!wal.isOpen() || fsync(wal.get()) != 0) {
        const std::string reason = std::strerror(errno);
        throw RunLogError(
            Message("runlog.not_synced", { { "file", file.string() }, { "reason", reason } }),
            RunLogError::Kind::Machine);
    }
}

void removeWithCompanions(const std::filesystem::path& file)
{
    std::error_code ignored;
    for (const char* suffix : { "", "-wal", "-shm" })
        std::filesystem::remove(file.string() + suffix, ignored);
}

} // namespace

Message heldElsewhere(const std::filesystem::path& file, std::chrono::seconds patience)
{
    return Message(
        "runlog.held_elsewhere", { { "file", file.string() }, { "seconds", patience.count() } });
}

LogConnection::LogConnection(const std::filesystem::path& file, const LogProgress& progress,
    const std::vector<Migration>& list)
    : m_file(file)
    , m_migrations(list)
{
    // A file that cannot be a log is refused before anything is created beside it, including the
    // lock file.
    requireWritable(file);
    if (identityOf(file))
        refuseAtSight(file, static_cast<int>(list.size()));
    m_locks = std::make_unique<LockFile>(file, LockFile::Purpose::Writing);
    if (!succeedsWithin(kOpenPatience, [this] { return m_locks->tryTurn(); }))
        throw RunLogError(heldElsewhere(file, kOpenPatience), RunLogError::Kind::Machine);
    const TurnGuard turn(m_locks.get());
    inSentences(file, [&] {
        std::unique_ptr<SQLite::Database> database = openDatabase();
        upgrade(*database, progress);
        adopt(std::move(database));
    });
}

LogConnection::~LogConnection()
{
    const bool hasTurn = succeedsWithin(kClosePatience, [this] { return m_locks->tryTurn(); });
    const TurnGuard turn(hasTurn ? m_locks.get() : nullptr);
    // Another process has the turn, so this one may not touch the -wal, and closing would
    // checkpoint it.
    if (!hasTurn)
        keepWal(*m_database);
    closeDatabase();
}

LogConnection::Turn LogConnection::tryTransaction(
    Durability durability, const std::function<void()>& work)
{
    const Turn turn = inTurn([&] {
        // Outside the transaction, because SQLite does not change it within one.
        m_database->exec(durability == Durability::Power ? "PRAGMA synchronous = FULL"
                                                         : "PRAGMA synchronous = NORMAL");
        SQLite::Transaction transaction(*m_database, SQLite::TransactionBehavior::IMMEDIATE);
        m_rows->forget(); // what a failed transaction has left
        m_seals->forget();
        work();
        // Held-back rows first: the seals read what is in the tables.
        m_rows->finish();
        m_seals->write();
        transaction.commit();
    });
    if (turn == Turn::Taken)
        m_notice = {};
    return turn;
}

LogConnection::Turn LogConnection::tryCompact()
{
    return inTurn([&] {
        // VACUUM writes all pages into the -wal; only the checkpoint makes the file smaller.
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
    // Remembered, because renewLocks takes the lock again if somebody deletes the lock file.
    m_mine[run] = token;
    m_claimed.erase(run);
    m_locks->tryAlive(run);
}

void LogConnection::claim(RunId run, const std::string& token)
{
    holdAlive(run, token);
    m_claimed.insert(run);
}

void LogConnection::releaseAlive(RunId run)
{
    m_mine.erase(run);
    m_claimed.erase(run);
    m_locks->releaseAlive(run);
}

LogConnection::Turn LogConnection::inTurn(const std::function<void()>& work)
{
    if (!m_locks->isStillThere())
        renewLocks();
    if (!m_locks->tryTurn())
        return Turn::HeldElsewhere;
    const TurnGuard turn(m_locks.get());
    inSentences(m_file, [&] {
        followFile();
        work();
    });
    return Turn::Taken;
}

// A new log gets its name only when it is complete, so that a reader never finds half of one.
void LogConnection::createWhole() const
{
    const std::filesystem::path fresh = m_file.string() + ".new";
    removeWithCompanions(fresh);
    try {
        const auto database = openGuarded(
            fresh.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
        database->exec("PRAGMA journal_mode = WAL");
        migrate(*database, m_migrations);
        // Closing would checkpoint as well, but not report that the disk is full.
        database->exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (...) {
        removeWithCompanions(fresh);
        throw;
    }
    removeWithCompanions(m_file); // the -wal of a deleted log would be replayed into the new one
    std::filesystem::rename(fresh, m_file);
}

// Examines the file at the path before anything is changed: a foreign file stays as it is.
std::unique_ptr<SQLite::Database> LogConnection::openDatabase() const
{
    if (!identityOf(m_file))
        createWhole();
    auto database =
        openGuarded(m_file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    // Until the file is known to be ours, closing must not touch its -wal.
    keepWal(*database);
    requireOurs(*database, m_file, static_cast<int>(m_migrations.size()));
    requireFormatFits(*database, m_file);
    keepWal(*database, false);
    database->exec("PRAGMA journal_mode = WAL");
    return database;
}

void LogConnection::upgrade(SQLite::Database& database, const LogProgress& progress)
{
    const int newest = static_cast<int>(m_migrations.size());
    const int version = requireOurs(database, m_file, newest);
    if (version > 0 && version < newest) {
        // Only if no other process has the log open: it would continue with the old format.
        if (!m_locks->tryOnlyPresence())
            throw RunLogError(Message("runlog.upgrade_while_written",
                                  { { "file", m_file.string() }, { "format", version } }),
                RunLogError::Kind::Machine);
        bringUpToDate(database, version, progress);
    } else {
        migrate(database, m_migrations);
    }
    if (newest == currentVersion())
        updateViews(database);
    // Held for as long as this connection lives, so that nobody changes the format meanwhile.
    m_locks->tryPresence(); // from alone, or from none, to one of many
}

// A backup copy is of no use if the file stays as it was; then an earlier backup is not replaced,
// either.
void LogConnection::bringUpToDate(
    SQLite::Database& database, int version, const LogProgress& progress)
{
    if (progress)
        progress(
            0, Message("runlog.backing_up", { { "copy", backUpOf(m_file, version).string() } }));
    Unfinished copy(backUp(database, m_file, version), backUpOf(m_file, version));
    migrate(database, m_migrations, progress);
    if (!copy.place())
        copy.keep(); // it is a complete copy under another name
}

void LogConnection::adopt(std::unique_ptr<SQLite::Database> database)
{
    // Off by SQLite's default and after a migration, but deleting a run relies on ON DELETE
    // CASCADE.
    database->exec("PRAGMA foreign_keys = ON");
    // Statements before their database: SQLite cannot close one that still has some.
    forgetStatements();
    m_database = std::move(database);
    m_seals = std::make_unique<RowSeals>(*m_database);
    m_rows = std::make_unique<EventRows>(*m_database, *m_seals);
    m_identity = identityOf(m_file).value_or(FileIdentity {});
    m_node = Descriptor(open(m_file.c_str(), O_PATH | O_CLOEXEC));
}

void LogConnection::forgetStatements()
{
    m_rows.reset();
    m_seals.reset();
}

void LogConnection::closeDatabase()
{
    forgetStatements();
    // Closing removes the -wal by its name, which may by now be another file's.
    if (identityOf(m_file) != m_identity) {
        emptyWal();
        keepWal(*m_database);
    }
    m_database.reset();
}

// Somebody deleted the lock file: our locks are on a file that nobody else can find.
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
    // First, while the old connection still has its -wal.
    emptyWal();
    if (!now && !wasDeleted())
        throw RunLogError(Message("runlog.moved_away", { { "file", m_file.string() } }));
    if (!now && !m_mine.empty())
        putBack();
    std::unique_ptr<SQLite::Database> database = openDatabase();
    upgrade(*database, {});
    if (!holdsMyRuns(*database))
        throw RunLogError(Message("runlog.replaced", { { "file", m_file.string() } }));
    // The new connection owns the files of that name now; closing the old one must not remove them.
    keepWal(*m_database);
    adopt(std::move(database));
}

// Moves everything that was committed into the file itself. A -wal that is left, perhaps beside
// another file under the old name, would otherwise be replayed into that file.
void LogConnection::emptyWal()
{
    // A failure is not reported: committed data are still in the -wal.
    m_database->tryExec("PRAGMA wal_checkpoint(TRUNCATE)");
}

void LogConnection::putBack()
{
    // From the open connection, which still reads the deleted file; renamed only when complete.
    const std::filesystem::path copy = m_file.string() + ".restored";
    removeWithCompanions(copy);
    execute(*m_database, "VACUUM INTO ?", copy.string());
    removeWithCompanions(m_file);
    std::filesystem::rename(copy, m_file);
    m_notice = Message("runlog.put_back", { { "file", m_file.string() } });
}

bool LogConnection::wasDeleted() const
{
    struct stat status { };
    // A file that was moved still has a name somewhere, a deleted one has none.
    return !m_node.isOpen() || fstat(m_node.get(), &status) != 0 || status.st_nlink == 0;
}

bool LogConnection::holdsMyRuns(SQLite::Database& database) const
{
    return std::all_of(m_mine.begin(), m_mine.end(), [&](const auto& mine) {
        const auto& [run, token] = mine;
        // Compares the token as well: a new log counts its runs from 1 again.
        return firstOf<int>(database, "SELECT 1 FROM runs WHERE id = ? AND token = ?", run, token)
            .has_value();
    });
}

} // namespace accrue
