// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/log_file.h"

#include "engine/runs/run_log_error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace accrue {

namespace {

namespace fs = std::filesystem;

// As open() decides: for the effective user, while access() tests the real one.
bool isAllowed(const fs::path& file, int mode)
{
    return faccessat(AT_FDCWD, file.c_str(), mode, AT_EACCESS) == 0;
}

// The types of statfs(2) and of the kernel's magic.h. On these, each of two machines has its own
// -shm.
constexpr std::array<NetworkFileSystem, 13> kNetworkFileSystems { {
    { 0x00006969, "NFS" },
    { 0x0000517b, "SMB" },
    { 0xff534d42, "CIFS" },
    { 0xfe534d42, "SMB2" },
    { 0x0000564c, "NCP" },
    { 0x73757245, "Coda" },
    { 0x5346414f, "AFS" },
    { 0x6b414653, "AFS" },
    { 0x00c36400, "Ceph" },
    { 0x0bd00bd0, "Lustre" },
    { 0x47504653, "GPFS" },
    { 0x19830326, "BeeGFS" },
    { 0xaad7aaea, "PanFS" },
} };

constexpr int kMostLinks = 40; // the kernel's limit

fs::path folderOf(const fs::path& file)
{
    const fs::path folder = file.parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

Message advice(const fs::path& file)
{
    if (isAllowed(file, R_OK))
        return Message("runlog.view_only");
    return Message("runlog.choose_another");
}

void refuseDirectory(const fs::path& file, const struct stat& status)
{
    if (S_ISDIR(status.st_mode))
        throw RunLogError(Message("runlog.is_a_directory",
            { { "file", file.string() }, { "example", (file / "runs.db").string() } }));
    if (!S_ISREG(status.st_mode))
        throw RunLogError(Message("runlog.not_a_file", { { "file", file.string() } }));
}

// Examines the nearest existing folder, so that none is created for a log that is refused.
void refuseNetwork(const fs::path& file)
{
    struct statfs status { };
    fs::path folder = fs::absolute(folderOf(file));
    while (statfs(folder.c_str(), &status) != 0) {
        // A folder that cannot be examined is not refused here: opening reports why.
        if (errno != ENOENT || !folder.has_relative_path())
            return;
        folder = folder.parent_path();
    }
    if (const auto name = networkFileSystemName(static_cast<std::int64_t>(status.f_type)))
        throw RunLogError(
            Message("runlog.on_network", { { "file", file.string() }, { "system", *name } }));
}

void makeFolder(const fs::path& file)
{
    std::error_code error;
    fs::create_directories(folderOf(file), error);
    if (error)
        throw RunLogError(Message("runlog.no_folder",
                              { { "file", file.string() }, { "reason", error.message() } }),
            RunLogError::kindOf(error.value()));
}

} // namespace

std::optional<FileIdentity> identityOf(const fs::path& file)
{
    struct stat status { };
    if (stat(file.c_str(), &status) != 0)
        return std::nullopt;
    return FileIdentity { status.st_dev, status.st_ino };
}

fs::path placeOf(const fs::path& file)
{
    fs::path place = fs::absolute(file);
    std::error_code ignored;
    // Link by link, because canonical() fails if the last one leads to a file that does not exist
    // yet.
    for (int links = 0; links < kMostLinks && fs::is_symlink(place, ignored); ++links)
        place = place.parent_path() / fs::read_symlink(place, ignored);
    const fs::path whole = fs::weakly_canonical(place, ignored);
    return fs::is_symlink(file, ignored) && !whole.empty() ? whole : fs::absolute(file);
}

fs::path placeToWrite(const fs::path& file)
{
    const fs::path place = placeOf(file);
    std::error_code ignored;
    if (fs::is_symlink(file, ignored) && !fs::is_directory(folderOf(place), ignored))
        throw RunLogError(Message("runlog.link_leads_nowhere",
            { { "file", file.string() }, { "place", place.string() } }));
    return place;
}

std::span<const NetworkFileSystem> networkFileSystems()
{
    return kNetworkFileSystems;
}

std::optional<std::string> networkFileSystemName(std::int64_t magic)
{
    for (const auto& [known, name] : kNetworkFileSystems)
        if (known == static_cast<std::uint32_t>(magic))
            return name;
    return std::nullopt;
}

void requireReadable(const fs::path& file)
{
    struct stat status { };
    if (stat(file.c_str(), &status) != 0) {
        if (errno == EACCES)
            throw RunLogError(Message("runlog.folder_denied", { { "file", file.string() } }));
        throw RunLogError(Message("runlog.does_not_exist", { { "file", file.string() } }));
    }
    refuseDirectory(file, status);
    if (!isAllowed(file, R_OK))
        throw RunLogError(Message("runlog.read_denied",
            { { "file", file.string() }, { "reason", std::string(std::strerror(errno)) } }));
    if (status.st_size == 0)
        throw RunLogError(Message("runlog.empty_file", { { "file", file.string() } }));
}

void requireWritable(const fs::path& file)
{
    // In this order: nothing may be created on a network file system.
    refuseNetwork(file);
    makeFolder(file);
    // placeOf has followed all links, so a remaining one is part of a circle.
    std::error_code ignored;
    if (fs::is_symlink(file, ignored))
        throw RunLogError(Message("runlog.link_to_itself", { { "file", file.string() } }));
    struct stat status { };
    const bool there = stat(file.c_str(), &status) == 0;
    if (there)
        refuseDirectory(file, status);
    if (there && !isAllowed(file, R_OK | W_OK))
        throw RunLogError(Message("runlog.write_denied",
            { { "file", file.string() }, { "reason", std::string(std::strerror(errno)) },
                { "advice", advice(file) } }));
    // A writable file is not enough: SQLite creates its -wal and -shm beside it.
    if (!isAllowed(folderOf(file), W_OK | X_OK))
        throw RunLogError(Message("runlog.folder_read_only",
            { { "file", file.string() }, { "reason", std::string(std::strerror(errno)) },
                { "advice", advice(file) } }));
}

std::int64_t bytesOnDisk(const fs::path& file)
{
    std::int64_t bytes = 0;
    for (const char* suffix : { "", "-wal" }) {
        struct stat status { };
        if (stat((file.string() + suffix).c_str(), &status) == 0)
            // st_blocks counts units of 512 bytes, whatever the block size of the file system.
            // Holes occupy no space.
            bytes += static_cast<std::int64_t>(status.st_blocks) * 512;
    }
    return bytes;
}

bool isDatabase(const std::filesystem::path& file)
{
    constexpr std::string_view kBeginning("SQLite format 3\0", 16);
    std::error_code ignored;
    // Opening a pipe would block.
    if (!std::filesystem::is_regular_file(file, ignored))
        return false;
    std::array<char, kBeginning.size()> bytes {};
    std::ifstream stream(file, std::ios::binary);
    stream.read(bytes.data(), bytes.size());
    return stream.good() && std::string_view(bytes.data(), bytes.size()) == kBeginning;
}

} // namespace accrue
