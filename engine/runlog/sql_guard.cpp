// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/sql_guard.h"

#include <sqlite3.h>

#include <SQLiteCpp/Exception.h>

namespace accrue {

std::string sentenceOf(const std::filesystem::path& file, int code, const std::string& message)
{
    const std::string log = "The run log " + file.string();
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        return log
            + " is not a database, so it is not a run log; it was left as it is. Name another"
              " file with --db.";
    case SQLITE_CORRUPT:
        return log + " is damaged (" + message
            + "). Keep a copy of it and its -wal file, and go on with another log by --db.";
    case SQLITE_FULL:
        return log + " cannot grow: the disk is full. Free some space.";
    case SQLITE_IOERR:
        return log + " cannot be written (" + message + "). Free some space or look at the disk.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return log + " cannot be written (" + message
            + "). Make the file and its folder writable, or choose another log with --db.";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return log + " is locked by another program. Close what has it open for writing.";
    case SQLITE_CANTOPEN:
        return log + " cannot be opened (" + message
            + "). Check the permissions of the file and its folder.";
    default:
        return log + " cannot be used (" + message + ").";
    }
}

RunLogError::Kind kindOfResult(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return RunLogError::Kind::Machine;
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
        throw RunLogError(sentenceOf(file, code, error.what()), kindOfResult(code));
    }
}

} // namespace accrue
