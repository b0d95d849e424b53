// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/sql_guard.h"

#include <cerrno>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <SQLiteCpp/Exception.h>

namespace accrue {

namespace {

// SQLite only says that it cannot open the file, not that no more files can be opened.
bool areFilesExhausted()
{
    const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == EMFILE || errno == ENFILE;
    close(descriptor);
    return false;
}

} // namespace

bool isDamage(int code)
{
    // All SQL is this program's own, and fits a file of a format that it knows.
    return (code & 0xff) == SQLITE_CORRUPT || code == SQLITE_ERROR;
}

RunLogError damageOf(const std::filesystem::path& file, const std::string& what)
{
    return RunLogError("The run log " + file.string() + " is damaged"
            + (what.empty() ? what : " (" + what + ")")
            + ". `accrue doctor --check-log` shows where. Keep a copy of it and its -wal file, and"
              " go on with another log by --db.",
        RunLogError::Kind::Damaged);
}

std::string sentenceOf(const std::filesystem::path& file, int code)
{
    const std::string log = "The run log " + file.string();
    const std::string reason = sqlite3_errstr(code & 0xff);
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        return log
            + " is not a database, so it is not a run log; it was left as it is. Name another"
              " file with --db.";
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:
        return damageOf(file).what();
    case SQLITE_FULL:
        return log + " cannot grow: the disk is full. Free some space.";
    case SQLITE_IOERR:
        return log + " cannot be written (" + reason + "). Free some space or look at the disk.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return log + " cannot be written (" + reason
            + "). Make the file and its folder writable, or choose another log with --db.";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return log + " is locked by another program. Close what has it open for writing.";
    case SQLITE_CANTOPEN:
        return areFilesExhausted()
            ? log + " cannot be opened: too many files are open. Raise the limit (ulimit -n)."
            : log + " cannot be opened (" + reason
                + "). Check the permissions of the file and its folder.";
    default:
        return log + " cannot be used (" + reason + ").";
    }
}

RunLogError::Kind kindOfResult(int code)
{
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:
        return RunLogError::Kind::Damaged;
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return RunLogError::Kind::Machine;
    case SQLITE_CANTOPEN:
        return areFilesExhausted() ? RunLogError::Kind::Machine : RunLogError::Kind::Input;
    default:
        return RunLogError::Kind::Input;
    }
}

void rethrowInSentence(const std::filesystem::path& file)
{
    try {
        throw;
    } catch (const SQLite::Exception& error) {
        const int code = error.getErrorCode();
        throw RunLogError(sentenceOf(file, code), kindOfResult(code));
    }
}

} // namespace accrue
