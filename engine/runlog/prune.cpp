// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/prune.h"

#include <system_error>

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

bool isArchived(SQLite::Database& database, RunId run)
{
    SQLite::Statement select(database, "SELECT 1 FROM runs WHERE id = ? AND archived = 1");
    select.bind(1, numberOf(run));
    return select.executeStep();
}

} // namespace

fs::path checkpointFolderOf(const fs::path& log, RunId run)
{
    fs::path folder = log.parent_path() / log.stem();
    folder += ".checkpoints";
    return folder / ("run-" + std::to_string(numberOf(run)));
}

PrunedRuns deleteArchivedRuns(LogConnection& connection, const std::vector<RunId>& runs)
{
    // Rows of the other tables go with the run's: ON DELETE CASCADE.
    SQLite::Statement remove(connection.database(), "DELETE FROM runs WHERE id = ?");
    PrunedRuns pruned;
    for (const RunId run : runs) {
        if (connection.isMine(run) || connection.isAliveElsewhere(run)
            || !isArchived(connection.database(), run))
            continue;
        // First the folder: deleting rows needs room in the -wal, and this makes it.
        pruned.bytesFreed += removeFolder(checkpointFolderOf(connection.file(), run));
        remove.bind(1, numberOf(run));
        remove.exec();
        remove.reset();
        pruned.runs.push_back(run);
    }
    return pruned;
}

} // namespace accrue
