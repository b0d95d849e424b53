// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/sql_guard.h"

#include "engine/base/descriptor.h"

#include <cerrno>

#include <fcntl.h>
#include <sqlite3.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

namespace accrue {

namespace {

// SQLite reports only that it cannot open the file, not that no more files can be opened.
bool areFilesExhausted()
{
    const Descriptor descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
    return !descriptor.isOpen() && (errno == EMFILE || errno == ENFILE);
}

RunLogError notOpened(const std::string& name, const std::string& reason)
{
    if (areFilesExhausted())
        return RunLogError(
            Message("runlog.too_many_files", { { "file", name } }), RunLogError::Kind::Machine);
    return RunLogError(
        Message("runlog.cannot_be_opened", { { "file", name }, { "reason", reason } }));
}

} // namespace

std::unique_ptr<SQLite::Database> openGuarded(const std::string& name, int flags, int busyTimeoutMs)
{
    auto database =
        std::make_unique<SQLite::Database>(name, flags | SQLite::OPEN_NOMUTEX, busyTimeoutMs);
    // Settings of the connection, not of the file: they do not affect other programs that open it.
    sqlite3* const handle = database->getHandle();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    database->exec("PRAGMA cell_size_check = ON");
    return database;
}

bool isDamage(int code)
{
    // All SQL is this program's own and fits every file of a supported format, so an SQL error is
    // damage, too.
    return (code & 0xff) == SQLITE_CORRUPT || code == SQLITE_ERROR;
}

RunLogError damageOf(const std::filesystem::path& file)
{
    return RunLogError(
        Message("runlog.damaged", { { "file", file.string() } }), RunLogError::Kind::Damaged);
}

RunLogError damageOf(const std::filesystem::path& file, const Message& what)
{
    return RunLogError(
        Message("runlog.damaged_there", { { "file", file.string() }, { "what", what } }),
        RunLogError::Kind::Damaged);
}

RunLogError errorOf(const std::filesystem::path& file, int code)
{
    // The lowest byte of an extended code is the kind of error.
    using Kind = RunLogError::Kind;
    const std::string name = file.string();
    const std::string reason = sqlite3_errstr(code & 0xff);
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        return RunLogError(Message("runlog.not_a_database", { { "file", name } }));
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:
        return damageOf(file);
    case SQLITE_FULL:
        return RunLogError(Message("runlog.disk_full", { { "file", name } }), Kind::Machine);
    case SQLITE_IOERR:
        return RunLogError(Message("runlog.disk_fails", { { "file", name }, { "reason", reason } }),
            Kind::Machine);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return RunLogError(Message("runlog.read_only", { { "file", name }, { "reason", reason } }));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return RunLogError(Message("runlog.locked", { { "file", name } }), Kind::Machine);
    case SQLITE_CANTOPEN:
        return notOpened(name, reason);
    default:
        return RunLogError(Message("runlog.unusable", { { "file", name }, { "reason", reason } }),
            (code & 0xff) == SQLITE_NOMEM ? Kind::Machine : Kind::Input);
    }
}

void rethrowInSentence(const std::filesystem::path& file)
{
    try {
        throw;
    } catch (const SQLite::Exception& error) {
        throw errorOf(file, error.getErrorCode());
    }
}

} // namespace accrue
