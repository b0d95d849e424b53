// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_folder.h"

#include "engine/base/file_messages.h"
#include "engine/download/download_errors.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>

namespace accrue {
namespace {

namespace fs = std::filesystem;

fs::path madeFolder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error && !fs::is_directory(folder, error))
        error = std::make_error_code(std::errc::not_a_directory);
    if (error)
        throw DownloadRefused(Message("download.folder_not_created",
            { { "folder", folder }, { "reason", error.message() } }));
    return folder;
}

// rename(2) and not a copy: both are on one file system, and the target is the old file or the new
// one.
void move(const fs::path& from, const fs::path& to)
{
    if (::rename(from.c_str(), to.c_str()) != 0)
        throw Error(Message("download.not_installed",
            { { "target", to }, { "reason", systemReason(errno) }, { "from", from } }));
}

[[noreturn]] void failToLock(const fs::path& file, const fs::path& target, int error)
{
    if (error == EWOULDBLOCK)
        throw Error(Message("download.locked", { { "target", target } }));
    throw Error(
        Message("download.not_lockable", { { "file", file }, { "reason", systemReason(error) } }));
}

// `target` is what the lock on `file` guards.
Descriptor lockOn(const fs::path& file, const fs::path& target)
{
    for (;;) {
        Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644));
        if (!lock.isOpen())
            throw DownloadRefused(Message("download.lock_not_created",
                { { "file", file }, { "reason", systemReason(errno) } }));
        if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
            failToLock(file, target, errno);
        // The process that held the lock before may have removed the file since it was opened.
        if (lock.isStillAt(file))
            return lock;
    }
}

} // namespace

DownloadFolder::DownloadFolder(const fs::path& folder, const std::string& name)
    : m_target(madeFolder(folder) / name)
    , m_growing(folder / (name + ".part"))
    , m_ready(m_growing / "ready")
    , m_lockFile(folder / (name + ".part.lock"))
    , m_lock(lockOn(m_lockFile, m_target))
{
    madeFolder(m_ready);
}

DownloadFolder::~DownloadFolder()
{
    std::error_code ignored;
    fs::remove(m_ready, ignored); // neither is removed while it contains anything
    fs::remove(m_growing, ignored);
    // While it is locked, so that the file of another process is never removed.
    fs::remove(m_lockFile, ignored);
}

void DownloadFolder::requireRoom(std::int64_t bytes) const
{
    std::error_code error;
    const auto space = fs::space(m_target.parent_path(), error);
    if (error || space.available >= static_cast<std::uintmax_t>(std::max<std::int64_t>(bytes, 0)))
        return;
    throw Error(Message("download.no_room",
        { { "target", m_target }, { "needed", ByteCount { bytes } },
            { "free", ByteCount { static_cast<std::int64_t>(space.available) } } }));
}

void DownloadFolder::install(const std::vector<PublishedFile>& files) const
{
    std::error_code error;
    // A new set appears with one rename. Otherwise the user has some of the files already, which
    // stay untouched.
    if (!fs::exists(m_target, error)) {
        trySyncFolder(m_ready);
        move(m_ready, m_target);
    } else {
        for (const PublishedFile& file : files)
            move(m_ready / file.name, m_target / file.name);
        trySyncFolder(m_target);
    }
    trySyncFolder(m_target.parent_path());
    removeAll();
}

void DownloadFolder::removeAll() const
{
    std::error_code ignored;
    fs::remove_all(m_growing, ignored);
}

} // namespace accrue
