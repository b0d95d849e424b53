// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/open_database.h"

#include <sqlite3.h>

#include <SQLiteCpp/Database.h>

namespace accrue {

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

} // namespace accrue
