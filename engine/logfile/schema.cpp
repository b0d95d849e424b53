// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/schema.h"

#include "engine/logfile/checked_table.h"
#include "engine/logfile/query.h"
#include "engine/logfile/sql_guard.h"
#include "engine/logfile/views.h"
#include "engine/runs/run_log_error.h"

#include <string>
#include <system_error>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

int formatOf(SQLite::Database& database)
{
    return database.execAndGet("PRAGMA user_version").getInt();
}

int requireOurs(SQLite::Database& database, const std::filesystem::path& file, int newest)
{
    const int application = database.execAndGet("PRAGMA application_id").getInt();
    const int format = formatOf(database);
    // A file of 0 bytes, or one that another program has only begun, has no application id yet. It
    // belongs to nobody only as long as it has no tables.
    const bool isEmpty = application == 0 && format == 0
        && database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
    if (!isEmpty && (application != kApplicationId || format <= 0))
        throw RunLogError(Message("runlog.foreign", { { "file", file.string() } }));
    if (format > newest)
        throw RunLogError(Message("runlog.newer",
            { { "file", file.string() }, { "format", format }, { "newest", newest } }));
    return format;
}

// A flipped bit in the number would make the file look like an older one without checksums.
void requireFormatFits(SQLite::Database& database, const std::filesystem::path& file)
{
    const int format = formatOf(database);
    const bool hasCodes =
        firstOf<int>(database, "SELECT 1 FROM pragma_table_info('markers') WHERE name = 'code'")
            .has_value();
    if (database.tableExists("checksums") != (format >= kChecksumsSinceFormat)
        || database.tableExists("metric_values") != (format >= kMetricValuesSinceFormat)
        || hasCodes != (format >= kMessageCodesSinceFormat)
        || database.tableExists("queue") != (format >= kQueueSinceFormat))
        throw damageOf(file, Message("runlog.format_does_not_fit", { { "format", format } }));
}

void migrate(
    SQLite::Database& database, const std::vector<Migration>& list, const LogProgress& progress)
{
    const auto format = [&] { return static_cast<std::size_t>(formatOf(database)); };
    if (format() >= list.size())
        return;
    // A table that others refer to can only be replaced with foreign keys off; SQLite ignores the
    // pragma within a transaction.
    database.exec("PRAGMA foreign_keys = OFF");
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    dropViews(database); // they refer to tables that may be replaced
    // Read again: another process may have migrated the file while this one waited.
    for (std::size_t i = format(); i < list.size(); ++i) {
        database.exec(list[i].sql);
        if (list[i].rewrite != nullptr)
            list[i].rewrite(database, progress);
    }
    // A pragma accepts no bound value; both are numbers of this program.
    database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    database.exec("PRAGMA user_version = " + std::to_string(list.size()));
    transaction.commit();
}

std::filesystem::path backUpOf(const std::filesystem::path& file, int version)
{
    std::filesystem::path target = file;
    target += ".backup-v" + std::to_string(version);
    return target;
}

std::filesystem::path backUp(
    SQLite::Database& database, const std::filesystem::path& file, int version)
{
    // VACUUM INTO reads the database through SQLite, so the copy includes rows that are only in the
    // -wal.
    std::filesystem::path copy = backUpOf(file, version);
    copy += ".part";
    try {
        // A backup that was interrupted may have left this file, and VACUUM INTO refuses an
        // existing one.
        std::filesystem::remove(copy);
        execute(database, "VACUUM INTO ?", copy.string());
    } catch (const std::exception& error) {
        std::error_code ignored;
        std::filesystem::remove(copy, ignored);
        throw RunLogError(Message("runlog.no_backup",
                              { { "file", file.string() }, { "copy", copy.string() },
                                  { "reason", std::string(error.what()) } }),
            RunLogError::Kind::Machine);
    }
    return copy;
}

} // namespace accrue
