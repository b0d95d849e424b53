// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_file.h"

#include "engine/runlog/run_log_error.h"

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

// As open() decides it: by the effective user, where access() goes by the real one.
bool isAllowed(const fs::path& file, int mode)
{
    return faccessat(AT_FDCWD, file.c_str(), mode, AT_EACCESS) == 0;
}

struct NetworkFileSystem {
    std::uint32_t magic;
    const char* name;
};

constexpr std::array kNetworkFileSystems {
    NetworkFileSystem { 0x00006969, "NFS" },
    NetworkFileSystem { 0x0000517b, "SMB" },
    NetworkFileSystem { 0xff534d42, "CIFS" },
    NetworkFileSystem { 0xfe534d42, "SMB2" },
    NetworkFileSystem { 0x0000564c, "NCP" },
    NetworkFileSystem { 0x73757245, "Coda" },
    NetworkFileSystem { 0x5346414f, "AFS" },
    NetworkFileSystem { 0x6b414653, "AFS" },
    NetworkFileSystem { 0x00c36400, "Ceph" },
    NetworkFileSystem { 0x0bd00bd0, "Lustre" },
    NetworkFileSystem { 0x47504653, "GPFS" },
    NetworkFileSystem { 0x19830326, "BeeGFS" },
    NetworkFileSystem { 0xaad7aaea, "PanFS" },
};

constexpr int kMostLinks = 40; // as the kernel follows

fs::path folderOf(const fs::path& file)
{
    const fs::path folder = file.parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

std::string advice(const fs::path& file)
{
    return isAllowed(file, R_OK) ? "It can be viewed; to change it or to train, make it "
                                   "writable or choose another log with --db."
                                 : "Choose another log with --db.";
}

[[noreturn]] void refuse(const fs::path& file, const std::string& rest)
{
    throw RunLogError("The run log " + file.string() + " " + rest);
}

void refuseDirectory(const fs::path& file, const struct stat& status)
{
    if (S_ISDIR(status.st_mode))
        refuse(file,
            "is a directory. Name the file in it, for example " + (file / "runs.db").string()
                + ".");
    if (!S_ISREG(status.st_mode))
        refuse(file, "is not a regular file. Choose another one with --db.");
}

// Asked of the nearest folder that is there, so that none is made for a log that is refused.
void refuseNetwork(const fs::path& file)
{
    struct statfs status { };
    fs::path folder = fs::absolute(folderOf(file));
    while (statfs(folder.c_str(), &status) != 0) {
        if (errno != ENOENT || !folder.has_relative_path())
            return;
        folder = folder.parent_path();
    }
    if (const auto name = networkFileSystemName(static_cast<std::int64_t>(status.f_type)))
        refuse(file,
            "lies on a network file system (" + *name
                + "), where a log cannot be written safely. Choose a local folder with --db; such a"
                  " file can still be viewed.");
}

void makeFolder(const fs::path& file)
{
    std::error_code error;
    fs::create_directories(folderOf(file), error);
    if (error)
        throw RunLogError("The run log " + file.string()
                + " cannot be made: its folder cannot be created (" + error.message()
                + "). Choose another place with --db.",
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
        refuse(file,
            "is a link to " + place.string()
                + ", whose folder is not there. Make that folder, or choose another log with "
                  "--db.");
    return place;
}

std::optional<std::string> networkFileSystemName(std::int64_t magic)
{
    for (const NetworkFileSystem& known : kNetworkFileSystems)
        if (known.magic == static_cast<std::uint32_t>(magic))
            return known.name;
    return std::nullopt;
}

void requireReadable(const fs::path& file)
{
    struct stat status { };
    if (stat(file.c_str(), &status) != 0) {
        if (errno == EACCES)
            refuse(file, "cannot be reached: permission denied on its folder.");
        refuse(file, "is not there. Train a run first, or name another log with --db.");
    }
    refuseDirectory(file, status);
    if (!isAllowed(file, R_OK))
        refuse(file,
            std::string("cannot be read (") + std::strerror(errno)
                + "). Ask its owner for permission, or name another log with --db.");
    if (status.st_size == 0)
        refuse(file,
            "is an empty file, so there is nothing to show. Train a run into it first, or"
            " name another log with --db.");
}

void requireWritable(const fs::path& file)
{
    refuseNetwork(file);
    makeFolder(file);
    std::error_code ignored;
    if (fs::is_symlink(file, ignored))
        refuse(file, "is a link that leads to itself. Choose another log with --db.");
    struct stat status { };
    const bool there = stat(file.c_str(), &status) == 0;
    if (there)
        refuseDirectory(file, status);
    if (there && !isAllowed(file, R_OK | W_OK))
        refuse(
            file, std::string("cannot be written (") + std::strerror(errno) + "). " + advice(file));
    if (!isAllowed(folderOf(file), W_OK | X_OK))
        refuse(file,
            std::string("lies in a folder that cannot be written (") + std::strerror(errno) + "). "
                + advice(file));
}

std::int64_t bytesOnDisk(const fs::path& file)
{
    std::int64_t bytes = 0;
    for (const char* suffix : { "", "-wal" }) {
        struct stat status { };
        if (stat((file.string() + suffix).c_str(), &status) == 0)
            bytes += static_cast<std::int64_t>(status.st_blocks) * 512;
    }
    return bytes;
}

bool isDatabase(const std::filesystem::path& file)
{
    constexpr std::string_view kBeginning("SQLite format 3\0", 16);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return false;
    std::array<char, kBeginning.size()> bytes {};
    std::ifstream stream(file, std::ios::binary);
    stream.read(bytes.data(), bytes.size());
    return stream.good() && std::string_view(bytes.data(), bytes.size()) == kBeginning;
}

} // namespace accrue
