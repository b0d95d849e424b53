// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/migrations.h"

#include <cstdint>
#include <filesystem>

namespace accrue {

// "Accr": distinguishes our files from other programs' databases (PRAGMA application_id).
inline constexpr std::int32_t kApplicationId = 0x41636372;

// What a database is, before anything is done to it. Determining it may throw SQLite::Exception if
// the file is no database at all.
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

// Throws RunLogError if the number of the format does not fit the tables.
void requireFormatFits(SQLite::Database& database, const std::filesystem::path& file);

// Runs the missing migrations in one transaction that also sets user_version, so that a file that
// cannot be migrated to the newest format stays as it was; foreign keys are off meanwhile.
void migrate(SQLite::Database& database, const std::vector<Migration>& list,
    const LogProgress& progress = {});

// <file>.backup-v<version>: the file before it was migrated to a newer format.
std::filesystem::path backUpOf(const std::filesystem::path& file, int version);

// Writes a copy, consistent even with a -wal, beside the path of backUpOf, whose name it gets once
// the file has its newer format. Returns the path of the copy. Throws RunLogError.
std::filesystem::path backUp(
    SQLite::Database& database, const std::filesystem::path& file, int version);

} // namespace accrue
