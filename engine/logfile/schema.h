// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/migrations.h"

#include <cstdint>
#include <filesystem>

namespace accrue {

// "Accr": distinguishes our files from other programs' databases (PRAGMA application_id).
inline constexpr std::int32_t kApplicationId = 0x41636372;

// The format of a log (PRAGMA user_version). Throws SQLite::Exception.
int formatOf(SQLite::Database& database);

// Throws RunLogError for a database of another program and for a newer file, SQLite::Exception if
// the file is no database at all; returns its format (0: no table yet, nobody's).
int requireOurs(SQLite::Database& database, const std::filesystem::path& file, int newest);

// Of a file that is ours or empty. Throws RunLogError if the number of the format does not fit the
// tables.
void requireFormatFits(SQLite::Database& database, const std::filesystem::path& file);

// Runs the missing migrations in one transaction that also sets user_version, so that a file that
// cannot be migrated to the newest format stays as it was. If there are any, foreign keys are off
// afterwards.
void migrate(SQLite::Database& database, const std::vector<Migration>& list,
    const LogProgress& progress = {});

// <file>.backup-v<version>: the file before it was migrated to a newer format.
std::filesystem::path backUpOf(const std::filesystem::path& file, int version);

// Writes a copy, consistent even with a -wal, beside the path of backUpOf, whose name it gets once
// the file has its newer format. Returns the path of the copy. Throws RunLogError.
std::filesystem::path backUp(
    SQLite::Database& database, const std::filesystem::path& file, int version);

} // namespace accrue
