// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/migrations.h"

#include <cstdint>
#include <filesystem>

namespace accrue {

// "Accr": tells our files from other programs' databases (PRAGMA application_id).
inline constexpr std::int32_t kApplicationId = 0x41636372;

// What a database is, before anything is done to it. Reading it may throw SQLite::Exception when it
// is no database at all.
enum class FileKind {
    Empty, // no table yet, nobody's
    Ours,
    Foreign, // a database of another program
};
struct FileVersion {
    FileKind kind = FileKind::Empty;
    int version = 0;
};
FileVersion versionOf(SQLite::Database& database);

// Throws RunLogError for a foreign or newer file; returns its version (0: empty).
int requireOurs(SQLite::Database& database, const std::filesystem::path& file, int newest);

// Throws RunLogError where the number of the format and the tables do not belong together.
void requireFormatFits(SQLite::Database& database, const std::filesystem::path& file);

// Runs what is missing in one transaction that sets user_version, too, so that a file that cannot
// be brought to the newest format stays as it was; foreign keys are off meanwhile.
void migrate(SQLite::Database& database, const std::vector<Migration>& list,
    const LogProgress& progress = {});

// <file>.backup-v<version>: what a file was before it was brought to a newer format.
std::filesystem::path backUpOf(const std::filesystem::path& file, int version);

// Writes a copy, consistent also with a -wal, beside the place of backUpOf, whose name it is to get
// once the file has its newer format. Returns where it lies. Throws RunLogError.
std::filesystem::path backUp(
    SQLite::Database& database, const std::filesystem::path& file, int version);

} // namespace accrue
