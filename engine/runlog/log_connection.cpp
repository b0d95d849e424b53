// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_connection.h"

#include "engine/base/unfinished.h"
#include "engine/logfile/log_snapshot.h"
#include "engine/logfile/open_database.h"
#include "engine/logfile/query.h"
#include "engine/logfile/sql_guard.h"
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
// and begins by looking whether the file at the path is still the one that is open. The -wal is the
// danger in all of this: SQLite finds it by its name, so that one that is left beside another file
// would be played into that file. Therefore it is emptied before the connection follows the path
// anywhere else.

namespace accrue {

namespace {

// Other programs of ours wait for their turn; SQLite's own locks are held only by other programs,
// such as a database browser.
constexpr int kBusyTimeoutMs = 250;
constexpr std::chrono::seconds kOpenPatience { 10 };
constexpr std::chrono::seconds kClosePatience { 1 };

// Whether closing the connection leaves the -wal as it is, neither checkpointed nor deleted.
void keepWal(SQLite::Database& database, bool keep = true)
{
    sqlite3_db_config(
        database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr);
}

// Frees the turn also where the work throws; otherwise every other process would wait for this one.
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
    // What cannot be a log is refused before anything is made beside it, the lock file included.
    requireWritable(file);
    if (identityOf(file))
        refuseAtSight(file, static_cast<int>(list.size()));
    m_locks = std::make_unique<LockFile>(file, LockFile::Purpose::Writing);
    if (!succeedsWithin(kOpenPatience, [this] { return m_locks->tryTurn(); }))
        throw RunLogError(heldElsewhere(file, kOpenPatience), RunLogError::Kind::Machine);
    const TurnGuard turn(*m_locks);
    inSentences(file, [&] {
        std::unique_ptr<SQLite::Database> database = openDatabase();
        upgrade(*database, progress);
        adopt(std::move(database));
    });
}

LogConnection::~LogConnection()
{
    if (succeedsWithin(kClosePatience, [this] { return m_locks->tryTurn(); })) {
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
        // Not within the transaction, where SQLite does not change it.
        m_database->exec(durability == Durability::Power ? "PRAGMA synchronous = FULL"
                                                         : "PRAGMA synchronous = NORMAL");
        SQLite::Transaction transaction(*m_database, SQLite::TransactionBehavior::IMMEDIATE);
        m_rows->forget(); // what a transaction that failed has left
        m_seals->forget();
        work();
        // Held-back rows first: seals read what is in the tables.
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
    // Remembered, because renewLocks takes the lock again where somebody deleted the lock file.
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
    // Off in SQLite unless asked for: deleting a run relies on ON DELETE CASCADE.
    database->exec("PRAGMA foreign_keys = ON");
    return database;
}

void LogConnection::upgrade(SQLite::Database& database, const LogProgress& progress)
{
    const int newest = static_cast<int>(m_migrations.size());
    const int version = requireOurs(database, m_file, newest);
    if (version > 0 && version < newest) {
        if (!m_locks->tryOnlyPresence())
            throw RunLogError(Message("runlog.upgrade_while_written",
                                  { { "file", m_file.string() }, { "format", version } }),
                RunLogError::Kind::Machine);
        bringUpToDate(database, version, progress);
    } else {
        migrate(database, m_migrations);
    }
    // Kept for as long as this connection lives, so that nobody changes the format under it.
    m_locks->tryPresence(); // from alone, or from none, to one of many
}

// A backup copy is of no use where the file stays as it was; then one of an earlier day stays, too.
void LogConnection::bringUpToDate(
    SQLite::Database& database, int version, const LogProgress& progress)
{
    if (progress)
        progress(
            0, Message("runlog.backing_up", { { "copy", backUpOf(m_file, version).string() } }));
    Unfinished copy(backUp(database, m_file, version), backUpOf(m_file, version));
    migrate(database, m_migrations, progress);
    if (!copy.place())
        copy.keep(); // it is a whole copy under another name
}

void LogConnection::adopt(std::unique_ptr<SQLite::Database> database)
{
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
    // Closing removes the -wal by its name, which may be another file's by now.
    if (identityOf(m_file) != m_identity) {
        emptyWal();
        keepWal(*m_database);
    }
    m_database.reset();
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
    // First of all, while the old connection still has its -wal.
    emptyWal();
    if (!now && !wasDeleted())
        throw RunLogError(Message("runlog.moved_away", { { "file", m_file.string() } }));
    if (!now && !m_mine.empty())
        putBack();
    std::unique_ptr<SQLite::Database> database = openDatabase();
    upgrade(*database, {});
    if (!holdsMyRuns(*database))
        throw RunLogError(Message("runlog.replaced", { { "file", m_file.string() } }));
    keepWal(*m_database);
    adopt(std::move(database));
}

// All that was committed moves into the file itself. The -wal that is left, perhaps beside another
// file under the old name, would otherwise be taken for that file's.
void LogConnection::emptyWal()
{
    // A failure is not reported: what was committed is still in the -wal.
    m_database->tryExec("PRAGMA wal_checkpoint(TRUNCATE)");
}

void LogConnection::putBack()
{
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
    // A file that was moved has a name somewhere, one that was deleted has none.
    return !m_node.isOpen() || fstat(m_node.get(), &status) != 0 || status.st_nlink == 0;
}

bool LogConnection::holdsMyRuns(SQLite::Database& database) const
{
    return std::all_of(m_mine.begin(), m_mine.end(), [&](const auto& mine) {
        const auto& [run, token] = mine;
        // By token as well: a log begun anew counts its runs from 1 again.
        return firstOf<int>(database, "SELECT 1 FROM runs WHERE id = ? AND token = ?", run, token)
            .has_value();
    });
}

} // namespace accrue
