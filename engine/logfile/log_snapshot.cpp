// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/log_snapshot.h"

#include "engine/logfile/lock_file.h"
#include "engine/logfile/log_file.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/sql_guard.h"
#include "engine/runs/run_log_error.h"

#include <system_error>

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

// A -wal belongs to its file: it contains the rows that were committed last, and reading it needs
// the -shm, which SQLite creates beside it. If the folder is not writable, these rows can only be
// read from a copy.

namespace accrue {

namespace {

namespace fs = std::filesystem;

constexpr int kBusyTimeoutMs = 2000;
constexpr std::chrono::seconds kCopyPatience { 1 }; // compacting a large log takes a writer longer

fs::path walOf(const fs::path& file)
{
    return file.string() + "-wal";
}

bool folderIsWritable(const fs::path& file)
{
    const fs::path folder = file.parent_path();
    return access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

bool hasWal(const fs::path& file)
{
    std::error_code error;
    const auto size = fs::file_size(walOf(file), error);
    return !error && size > 0;
}

std::unique_ptr<SQLite::Database> openForReading(const std::string& name, int extraFlags)
{
    auto database = openGuarded(name, SQLite::OPEN_READONLY | extraFlags, kBusyTimeoutMs);
    // A reader never checkpoints, not even as the last to close.
    sqlite3_db_config(database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    return database;
}

std::unique_ptr<SQLite::Database> openImmutable(const fs::path& file)
{
    std::string uri = "file:";
    // Every byte with a meaning in URIs is escaped.
    for (const char c : fs::absolute(file).string())
        uri += c == '%' ? "%25" : c == '?' ? "%3F" : c == '#' ? "%23" : std::string(1, c);
    return openForReading(uri + "?immutable=1", SQLite::OPEN_URI);
}

void requireReadableVersion(SQLite::Database& database, const fs::path& file)
{
    const int version = requireOurs(database, file, currentVersion());
    if (version == 0)
        throw RunLogError(Message("runlog.empty_database", { { "file", file.string() } }));
    requireFormatFits(database, file);
}

} // namespace

void refuseAtSight(const fs::path& file, int newest)
{
    try {
        // This takes no lock and creates no -shm beside a file that may be another program's.
        const auto database = openImmutable(file);
        if (requireOurs(*database, file, newest) > 0 || !hasWal(file))
            return;
        // Empty so far: its tables may be in the -wal.
        requireOurs(*openForReading(file.string(), 0), file, newest);
    } catch (const SQLite::Exception& error) {
        if ((error.getErrorCode() & 0xff) == SQLITE_NOTADB)
            rethrowInSentence(file);
        // Otherwise perhaps a log that is being checkpointed, during which `immutable` may read an
        // inconsistent state.
    }
}

struct LogSnapshot::TemporaryFolder {
    TemporaryFolder()
    {
        std::string pattern = (fs::temp_directory_path() / "accrue-view-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
            throw RunLogError(Message("runlog.no_temporary_folder",
                { { "folder", fs::temp_directory_path().string() } }));
        path = pattern;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    fs::path path;
};

LogSnapshot::LogSnapshot(const fs::path& file)
{
    requireReadable(file);
    inSentences(file, [&] {
        // The order of preference: live detects commits, a copy includes the -wal, `immutable`
        // ignores it.
        if (openLive(file))
            return requireReadableVersion(*m_database, file);
        if (hasWal(file))
            openCopy(file);
        else
            m_database = openImmutable(file);
        requireReadableVersion(*m_database, file);
    });
}

LogSnapshot::~LogSnapshot() = default;

bool LogSnapshot::openLive(const fs::path& file)
{
    try {
        m_database = openForReading(file.string(), 0);
        // Opening reads nothing yet. The first read needs the -shm, which a read-only folder may
        // lack.
        m_database->execAndGet("SELECT count(*) FROM sqlite_schema").getInt();
        m_live = true;
    } catch (const SQLite::Exception& error) {
        const int code = error.getErrorCode() & 0xff;
        // Only a folder that is not writable is a reason for another way; in any other the error is
        // reported.
        const bool folder = code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
        if (!folder || folderIsWritable(file))
            throw;
        m_database.reset();
    }
    return m_live;
}

void LogSnapshot::openCopy(const fs::path& file)
{
    // Prevents writers from changing the file while it is copied.
    LockFile locks(file, LockFile::Purpose::Reading);
    if (locks.isOpen() && !succeedsWithin(kCopyPatience, [&] { return locks.trySharedTurn(); }))
        throw RunLogError(Message("runlog.busy_while_copied", { { "file", file.string() } }),
            RunLogError::Kind::Machine);
    m_temporary = std::make_unique<TemporaryFolder>();
    const fs::path copy = m_temporary->path / "runs.db";
    try {
        fs::copy_file(file, copy);
        fs::copy_file(walOf(file), walOf(copy));
    } catch (const fs::filesystem_error& error) {
        throw RunLogError(Message("runlog.not_copied",
                              { { "file", file.string() }, { "reason", error.code().message() } }),
            RunLogError::kindOf(error.code().value()));
    }
    // the copies have the permissions of a read-only file
    for (const fs::path& part : { copy, walOf(copy) })
        fs::permissions(part, fs::perms::owner_read | fs::perms::owner_write);
    m_database = openForReading(copy.string(), 0);
}

} // namespace accrue
