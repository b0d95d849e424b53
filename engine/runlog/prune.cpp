// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/prune.h"

#include <system_error>
#include <vector>

#include <sys/stat.h>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

namespace fs = std::filesystem;

std::int64_t blocksOf(const fs::path& path)
{
    struct stat status { };
    return lstat(path.c_str(), &status) == 0 ? std::int64_t { status.st_blocks } * 512 : 0;
}

std::int64_t removeFolder(const fs::path& folder)
{
    std::error_code error;
    std::int64_t bytes = 0;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        bytes += blocksOf(entry->path());
    fs::remove_all(folder, error);
    return error ? 0 : bytes;
}

std::vector<RunId> archivedRuns(SQLite::Database& database)
{
    SQLite::Statement select(database, "SELECT id FROM runs WHERE archived = 1");
    std::vector<RunId> runs;
    while (select.executeStep())
        runs.push_back(RunId { select.getColumn(0).getInt64() });
    return runs;
}

} // namespace

fs::path checkpointFolderOf(const fs::path& log, RunId run)
{
    fs::path folder = log.parent_path() / log.stem();
    folder += ".checkpoints";
    return folder / ("run-" + std::to_string(numberOf(run)));
}

std::int64_t deleteArchivedRuns(LogConnection& connection)
{
    // Rows of the other tables go with the run's: ON DELETE CASCADE.
    SQLite::Statement remove(connection.database(), "DELETE FROM runs WHERE id = ?");
    std::int64_t bytes = 0;
    for (const RunId run : archivedRuns(connection.database())) {
        if (connection.isMine(run) || connection.isAliveElsewhere(run))
            continue;
        // First the folder: deleting rows needs room in the -wal, and this makes it.
        bytes += removeFolder(checkpointFolderOf(connection.file(), run));
        remove.bind(1, numberOf(run));
        remove.exec();
        remove.reset();
    }
    return bytes;
}

} // namespace accrue
