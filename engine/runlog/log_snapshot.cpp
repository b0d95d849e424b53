// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_snapshot.h"

#include "engine/runlog/lock_file.h"
#include "engine/runlog/log_file.h"
#include "engine/runlog/open_database.h"
#include "engine/runlog/run_log_error.h"
#include "engine/runlog/schema.h"
#include "engine/runlog/sql_guard.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

namespace fs = std::filesystem;

constexpr int kBusyTimeoutMs = 2000;

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

fs::path temporaryFolder()
{
    std::string pattern = (fs::temp_directory_path() / "accrue-view-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw RunLogError("No temporary folder can be made in " + fs::temp_directory_path().string()
            + ", which is needed to view a run log in a read-only folder. Set TMPDIR to a folder"
              " with room.");
    return pattern;
}

// A file URI; every byte that means something in one is escaped.
std::string uriOf(const fs::path& file, const std::string& query)
{
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char c : fs::absolute(file).string()) {
        if (c == '%' || c == '?' || c == '#') {
            uri += '%';
            uri += kDigits[static_cast<unsigned char>(c) >> 4];
            uri += kDigits[static_cast<unsigned char>(c) & 15];
        } else {
            uri += c;
        }
    }
    return uri + "?" + query;
}

std::unique_ptr<SQLite::Database> openForReading(const std::string& name, int extraFlags)
{
    auto database = openGuarded(name, SQLite::OPEN_READONLY | extraFlags, kBusyTimeoutMs);
    // A reader never checkpoints, also when it is the last to close.
    sqlite3_db_config(database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    return database;
}

void requireReadableVersion(SQLite::Database& database, const fs::path& file)
{
    const int version = requireOurs(database, file, currentVersion());
    if (version == 0)
        throw RunLogError("The file " + file.string()
            + " is an empty database, so there is nothing to show. Train a run into it first, or"
              " name another log with --db.");
    requireFormatFits(database, file);
}

// Keeps writers from changing the file while it is copied; throws RunLogError where one does not
// pause for a second (it compacts a large log).
class QuietWriters {
public:
    explicit QuietWriters(const fs::path& file)
        : m_locks(file, LockFile::Purpose::Reading)
    {
        std::mutex mutex;
        std::condition_variable never;
        std::unique_lock<std::mutex> lock(mutex);
        for (int tries = 0; m_locks.isOpen() && !m_locks.trySharedTurn(); ++tries) {
            if (tries == 200)
                throw RunLogError("The run log " + file.string()
                        + " is being written to, so it cannot be copied to be viewed. Try again"
                          " in a moment.",
                    RunLogError::Kind::Machine);
            never.wait_for(lock, std::chrono::milliseconds(5));
        }
    }

private:
    LockFile m_locks;
};

} // namespace

void refuseAtSight(const fs::path& file, int newest)
{
    try {
        const auto database = openForReading(uriOf(file, "immutable=1"), SQLite::OPEN_URI);
        if (requireOurs(*database, file, newest) > 0 || !hasWal(file))
            return;
        // Empty so far: its tables may be in the -wal.
        requireOurs(*openForReading(file.string(), 0), file, newest);
    } catch (const SQLite::Exception& error) {
        if ((error.getErrorCode() & 0xff) == SQLITE_NOTADB)
            rethrowInSentence(file);
        // Else perhaps a log that is being checkpointed, for which `immutable` is not meant.
    }
}

LogSnapshot::LogSnapshot(const fs::path& file)
{
    requireReadable(file);
    inSentences(file, [&] {
        if (openLive(file))
            return requireReadableVersion(*m_database, file);
        if (hasWal(file))
            openCopy(file);
        else
            openImmutable(file);
        requireReadableVersion(*m_database, file);
    });
}

LogSnapshot::~LogSnapshot()
{
    m_database.reset();
    std::error_code ignored;
    if (!m_temporary.empty())
        fs::remove_all(m_temporary, ignored);
}

bool LogSnapshot::openLive(const fs::path& file)
{
    try {
        m_database = openForReading(file.string(), 0);
        m_database->execAndGet("SELECT count(*) FROM sqlite_schema").getInt();
        m_live = true;
    } catch (const SQLite::Exception& error) {
        const int code = error.getErrorCode() & 0xff;
        const bool folder = code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
        if (!folder || folderIsWritable(file))
            throw;
        m_database.reset();
    }
    return m_live;
}

void LogSnapshot::openImmutable(const fs::path& file)
{
    m_database = openForReading(uriOf(file, "immutable=1"), SQLite::OPEN_URI);
}

void LogSnapshot::openCopy(const fs::path& file)
{
    m_temporary = temporaryFolder();
    const fs::path copy = m_temporary / "runs.db";
    try {
        const QuietWriters quiet(file);
        fs::copy_file(file, copy);
        fs::copy_file(walOf(file), walOf(copy));
    } catch (const RunLogError&) {
        fs::remove_all(m_temporary);
        throw;
    } catch (const fs::filesystem_error& error) {
        fs::remove_all(m_temporary);
        throw RunLogError("The run log " + file.string()
                + " lies in a read-only folder and must be copied to be viewed, which failed ("
                + error.code().message() + "). Set TMPDIR to a folder with room.",
            RunLogError::kindOf(error.code().value()));
    }
    fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write);
    fs::permissions(walOf(copy), fs::perms::owner_read | fs::perms::owner_write);
    m_database = openForReading(copy.string(), 0);
}

} // namespace accrue
