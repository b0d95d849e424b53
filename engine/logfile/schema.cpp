// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/schema.h"

#include "engine/logfile/checked_table.h"
#include "engine/logfile/query.h"
#include "engine/logfile/sql_guard.h"
#include "engine/runs/run_log_error.h"

#include <string>
#include <system_error>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace {

// A table that others refer to can only be replaced with foreign keys off; SQLite ignores the
// pragma within a transaction.
class ForeignKeysOff {
public:
    explicit ForeignKeysOff(SQLite::Database& database)
        : m_database(database)
        , m_before(database.execAndGet("PRAGMA foreign_keys").getInt())
    {
        database.exec("PRAGMA foreign_keys = OFF");
    }
    ~ForeignKeysOff()
    {
        if (m_before != 0)
            m_database.tryExec("PRAGMA foreign_keys = ON");
    }
    ForeignKeysOff(const ForeignKeysOff&) = delete;
    ForeignKeysOff& operator=(const ForeignKeysOff&) = delete;

private:
    SQLite::Database& m_database;
    const int m_before;
};

std::size_t formatIn(SQLite::Database& database)
{
    return static_cast<std::size_t>(database.execAndGet("PRAGMA user_version").getInt());
}

} // namespace

FileVersion versionOf(SQLite::Database& database)
{
    const int application = database.execAndGet("PRAGMA application_id").getInt();
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    if (application == kApplicationId)
        return { version > 0 ? FileKind::Ours : FileKind::Foreign, version };
    // A file of 0 bytes, or one that another program has only begun, has no application id yet. It
    // belongs to nobody only as long as it has no tables.
    const int objects = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt();
    const bool empty = application == 0 && version == 0 && objects == 0;
    return { empty ? FileKind::Empty : FileKind::Foreign, version };
}

int requireOurs(SQLite::Database& database, const std::filesystem::path& file, int newest)
{
    const FileVersion found = versionOf(database);
    if (found.kind == FileKind::Foreign)
        throw RunLogError(Message("runlog.foreign", { { "file", file.string() } }));
    if (found.version > newest)
        throw RunLogError(Message("runlog.newer",
            { { "file", file.string() }, { "format", found.version }, { "newest", newest } }));
    return found.kind == FileKind::Empty ? 0 : found.version;
}

// A flipped bit in the number would make the file look like an older one without checksums.
void requireFormatFits(SQLite::Database& database, const std::filesystem::path& file)
{
    const FileVersion found = versionOf(database);
    const bool hasCodes =
        firstOf<int>(database, "SELECT 1 FROM pragma_table_info('markers') WHERE name = 'code'")
            .has_value();
    const bool fits = database.tableExists("checksums") == (found.version >= kChecksumsSinceFormat)
        && database.tableExists("metric_values") == (found.version >= kMetricValuesSinceFormat)
        && hasCodes == (found.version >= kMessageCodesSinceFormat);
    if (found.kind == FileKind::Ours && !fits)
        throw damageOf(
            file, Message("runlog.format_does_not_fit", { { "format", found.version } }));
}

void migrate(
    SQLite::Database& database, const std::vector<Migration>& list, const LogProgress& progress)
{
    if (formatIn(database) >= list.size())
        return;
    // Before the transaction, within which SQLite ignores the pragma.
    const ForeignKeysOff rebuilding(database);
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Read again: another process may have migrated the file while this one waited.
    for (std::size_t i = formatIn(database); i < list.size(); ++i) {
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
