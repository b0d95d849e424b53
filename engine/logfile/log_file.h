// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include <sys/types.h>

namespace accrue {

// The file that a path names right now, as device and inode, so that a replaced file is noticed.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
// nullopt: there is none. Never opens the file: closing it again would release the locks that
// SQLite holds on it in this process.
std::optional<FileIdentity> identityOf(const std::filesystem::path& file);

// The file itself, absolute, if `file` is a link to it, even if it does not exist yet: SQLite
// stores its -wal beside the file, and the lock file must be the same for all names.
std::filesystem::path placeOf(const std::filesystem::path& file);

// placeOf, for a log that may be created there. Throws RunLogError for a link into a folder that
// does not exist: nobody requested a folder at the link's far end.
std::filesystem::path placeToWrite(const std::filesystem::path& file);

// A file system on another machine, by statfs's type; there, shared memory and locks do not reach
// the other machine's readers.
struct NetworkFileSystem {
    std::uint32_t magic = 0;
    const char* name = "";
};
std::span<const NetworkFileSystem> networkFileSystems();
// "NFS", "SMB" …; nullopt: `magic` is that of none of them.
std::optional<std::string> networkFileSystemName(std::int64_t magic);

// Throws RunLogError with a sentence: a directory, nothing there, an empty file, no permission.
void requireReadable(const std::filesystem::path& file);
// Creates missing folders. A file that does not exist is no error. Further errors: a network file
// system, a folder or file that cannot be written.
void requireWritable(const std::filesystem::path& file);

// Whether the file begins like an SQLite database; false if it cannot be read. Opens the file: not
// to be called while this process has it open as a database.
bool isDatabase(const std::filesystem::path& file);

// Bytes of the log on the disk, its -wal included.
std::int64_t bytesOnDisk(const std::filesystem::path& file);

} // namespace accrue
