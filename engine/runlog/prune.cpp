// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/prune.h"

#include "engine/logfile/query.h"
#include "engine/logfile/queue_rows.h"
#include "engine/runlog/run_rows.h"

#include <optional>
#include <system_error>

#include <sys/stat.h>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

namespace fs = std::filesystem;

std::int64_t blocksOf(const fs::path& path)
{
    struct stat status { };
    // lstat: deleting the folder deletes a link in it, not the link's target.
    return lstat(path.c_str(), &status) == 0 ? std::int64_t { status.st_blocks } * 512 : 0;
}

std::int64_t bytesIn(const fs::path& folder)
{
    std::error_code error;
    std::int64_t bytes = 0;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        bytes += blocksOf(entry->path());
    return bytes;
}

std::int64_t removeFolder(const fs::path& folder)
{
    const std::int64_t bytes = bytesIn(folder);
    std::error_code error;
    fs::remove_all(folder, error);
    // If part of it could not be deleted, nothing counts as freed.
    return error ? 0 : bytes;
}

struct FoundRun {
    std::string token;
    fs::path checkpoint; // as stored in its row
};

std::optional<FoundRun> findRun(SQLite::Database& database, RunId run, Prunable which)
{
    // One statement for both: only archived runs (>= 1) or any (>= 0).
    Query row(database, "SELECT token, checkpoint FROM runs WHERE id = ? AND archived >= ?", run,
        which == Prunable::Archived);
    if (!row.next())
        return std::nullopt;
    FoundRun found;
    found.token = row.text();
    found.checkpoint = row.text();
    return found;
}

// On a machine whose locks cannot be seen from here. Whoever archived the run knows that it is
// over.
bool mayTrainElsewhere(SQLite::Database& database, RunId run)
{
    ExperimentCache recipes;
    const std::vector<StoredRun> found = readRuns(database, recipes, run);
    return !found.empty() && !found.front().record.archived
        && stateOf(found.front(), /*alive=*/false) == RunState::Unknown;
}

// What processes that were killed while saving have left beside it: NAME.writing-….
void addUnfinished(std::vector<fs::path>& folders, const fs::path& folder)
{
    const std::string prefix = folder.filename().string() + ".";
    std::error_code error;
    for (fs::directory_iterator entry(folder.parent_path(), error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().filename().string().starts_with(prefix))
            folders.push_back(entry->path());
}

std::vector<fs::path> checkpointFolders(const fs::path& log, RunId run, const FoundRun& found)
{
    const fs::path folder = checkpointFolderOf(log, run, found.token);
    std::vector<fs::path> folders { folder };
    addUnfinished(folders, folder);
    // The name of folders in early versions; another log of the same stem may have one of that
    // name, so the row decides.
    const fs::path old = folder.parent_path() / ("run-" + std::to_string(numberOf(run)));
    if (found.checkpoint == old)
        folders.push_back(old);
    return folders;
}

} // namespace

fs::path checkpointFolderOf(const fs::path& log, RunId run, const std::string& token)
{
    fs::path folder = log.parent_path() / log.stem();
    folder += ".checkpoints";
    return folder / ("run-" + std::to_string(numberOf(run)) + "-" + token.substr(0, 8));
}

std::int64_t checkpointBytes(SQLite::Database& database, const fs::path& log, RunId run)
{
    std::int64_t bytes = 0;
    if (const std::optional<FoundRun> found = findRun(database, run, Prunable::Archived))
        for (const fs::path& folder : checkpointFolders(log, run, *found))
            bytes += bytesIn(folder);
    return bytes;
}

PrunedRuns deleteRuns(LogConnection& connection, const std::vector<RunId>& runs, Prunable which)
{
    PrunedRuns pruned;
    for (const RunId run : runs) {
        const std::optional<FoundRun> found = findRun(connection.database(), run, which);
        // Checked within the transaction: a run may have been resumed since the user chose it.
        if (!found || connection.isMine(run) || connection.isAliveElsewhere(run)
            || mayTrainElsewhere(connection.database(), run))
            continue;
        // The folder first: deleting rows needs room in the -wal, and this makes room.
        for (const fs::path& folder : checkpointFolders(connection.file(), run, *found))
            pruned.bytesFreed += removeFolder(folder);
        // ON DELETE CASCADE deletes the rows of the other tables.
        execute(connection.database(), "DELETE FROM runs WHERE id = ?", run);
        pruned.runs.push_back(run);
    }
    deleteEmptySweeps(connection.database());
    return pruned;
}

} // namespace accrue
