// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <sys/types.h>

namespace accrue {

// Which file a path names right now; device and inode, so that a file put in its place is noticed.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
// nullopt: nothing is there. Never opens the file: closing it again would drop the locks that
// SQLite holds on it in this process.
std::optional<FileIdentity> identityOf(const std::filesystem::path& file);

// The file itself, absolute, where `file` is a link to it, also when it is not there yet: SQLite
// keeps its -wal beside the file, and the lock file must be one for all names.
std::filesystem::path placeOf(const std::filesystem::path& file);

// placeOf, for a log that may be made there. Throws RunLogError for a link into a folder that is
// not there: nobody asked for a folder at the link's far end.
std::filesystem::path placeToWrite(const std::filesystem::path& file);

// "NFS", "SMB" …, where statfs's type `magic` is that of a file system on another machine; there
// shared memory and locks do not reach the other machine's readers.
std::optional<std::string> networkFileSystemName(std::int64_t magic);

// Throw RunLogError in a sentence: a directory, nothing there, an empty file, no permission.
void requireReadable(const std::filesystem::path& file);
// Makes missing folders. A file that is not there is fine. Adds: a network file system, a folder or
// file that cannot be written.
void requireWritable(const std::filesystem::path& file);

// Whether the file begins as an SQLite database does; false where it cannot be read. Opens the
// file: not where this process has it open as a database.
bool isDatabase(const std::filesystem::path& file);

// Bytes of the log on the disk, its -wal included.
std::int64_t bytesOnDisk(const std::filesystem::path& file);

} // namespace accrue
