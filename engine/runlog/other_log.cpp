// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/other_log.h"

#include "engine/logfile/log_file.h"
#include "engine/logfile/migrations.h"
#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/sql_guard.h"
#include "engine/runlog/log_connection.h"
#include "engine/runs/run_log_error.h"

#include <system_error>

#include <sqlite3.h>

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr int kBusyTimeoutMs = 2000;

// Page by page: SQLite 3.40 cannot run VACUUM INTO on a read-only connection to a file with a
// computed column.
void copyPages(SQLite::Database& from, const fs::path& to)
{
    const auto copy =
        openGuarded(to.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    if (SQLite::Backup(*copy, from).executeStep() != SQLITE_DONE)
        throw RunLogError(
            Message("runlog.locked", { { "file", to.string() } }), RunLogError::Kind::Machine);
}

} // namespace

OtherLog::OtherLog(const fs::path& file, const LogProgress& progress)
    : m_file(placeOf(file))
    , m_snapshot(std::make_unique<LogSnapshot>(m_file))
{
    inSentences(m_file, [&] {
        if (formatOf(database()) < currentVersion())
            copyAndMigrate(progress);
        m_state = std::make_unique<SQLite::Transaction>(database());
        formatOf(database()); // the first read fixes the state
    });
}

OtherLog::~OtherLog() = default;

void OtherLog::copyAndMigrate(const LogProgress& progress)
{
    m_folder.emplace(fs::temp_directory_path() / "accrue-import");
    std::error_code error;
    fs::create_directory(m_folder->path(), error);
    if (error)
        throw RunLogError(Message(
            "runlog.no_temporary_folder", { { "folder", fs::temp_directory_path().string() } }));
    fs::permissions(m_folder->path(), fs::perms::owner_all, error);
    const fs::path copy = m_folder->path() / "runs.db";
    if (progress)
        progress(0, Message("runlog.copying_to_migrate", { { "file", m_file.string() } }));
    copyPages(database(), copy);
    m_snapshot.reset();
    {
        const LogConnection migrated(copy, progress);
    }
    m_snapshot = std::make_unique<LogSnapshot>(copy);
}

std::vector<OtherLog::Run> OtherLog::runs()
{
    return inSentences(m_file, [&] {
        std::vector<Run> runs;
        for (Query rows(database(),
                 "SELECT token, name, step, coalesce(begun, 1) FROM runs"
                 " LEFT JOIN queue ON run_id = id ORDER BY id");
             rows.next();) {
            Run& run = runs.emplace_back();
            rows.read(run.token, run.name, run.step, run.begun);
        }
        return runs;
    });
}

std::vector<LogDamage> OtherLog::damage(const LogProgress& progress, const std::stop_token& stop)
{
    return inSentences(m_file, [&] {
        DamageFinder finder(database());
        std::vector<LogDamage> damage = finder.inRuns();
        const auto runs = allOf<RunId>(database(), "SELECT id FROM runs ORDER BY id");
        for (std::size_t i = 0; i < runs.size() && !stop.stop_requested(); ++i) {
            if (progress)
                progress(static_cast<double>(i) / static_cast<double>(runs.size()),
                    Message("runlog.checking_to_import", { { "file", m_file.string() } }));
            for (LogDamage& found : finder.inOtherTables(runs[i]))
                damage.push_back(std::move(found));
        }
        return damage;
    });
}

} // namespace accrue
