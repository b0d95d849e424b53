// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_folder.h"

#include "engine/base/file_messages.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>

namespace accrue {
namespace {

namespace fs = std::filesystem;

Message unwritable(const fs::path& file, int error)
{
    const bool isFull = error == ENOSPC || error == EDQUOT || error == EFBIG;
    return Message(isFull ? "download.disk_full" : "download.file_unwritable",
        { { "file", file }, { "reason", systemReason(error) } });
}

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
    std::error_code error;
    fs::rename(from, to, error);
    if (error)
        throw Error(Message("download.not_installed",
            { { "target", to }, { "reason", error.message() }, { "from", from } }));
}

// `target` is what the lock on `file` guards.
Descriptor lockOn(const fs::path& file, const fs::path& target)
{
    for (;;) {
        Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644));
        if (!lock.isOpen())
            throw DownloadRefused(unwritable(file, errno));
        if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
            throw Error(errno == EWOULDBLOCK ? Message("download.locked", { { "target", target } })
                                             : unwritable(file, errno));
        // The process that held the lock before may have removed the file since it was opened.
        if (lock.isStillAt(file))
            return lock;
    }
}

} // namespace

OutputFile growingFile(const fs::path& path)
{
    const auto fail = [path](WriteStep, int error) { throw DiskError(unwritable(path, error)); };
    return OutputFile(path, fail, OutputFile::Existing::Extend);
}

DownloadFolder::DownloadFolder(const fs::path& folder, const std::string& name)
    : m_target(madeFolder(folder) / name)
    , m_growing(folder / (name + ".part"))
    , m_lockFile(folder / (name + ".part.lock"))
    , m_lock(lockOn(m_lockFile, m_target))
{
    madeFolder(m_growing);
}

DownloadFolder::~DownloadFolder()
{
    std::error_code ignored;
    fs::remove(m_growing, ignored); // it is not removed while it contains anything
    // While it is locked, so that the file of another process is never removed.
    fs::remove(m_lockFile, ignored);
}

void DownloadFolder::install(const std::vector<PublishedFile>& files) const
{
    // A new set appears with one rename. Otherwise the user has some of the files already, which
    // stay untouched.
    std::error_code unknown;
    const bool isNew = !fs::exists(m_target, unknown);
    const fs::path into = isNew ? madeFolder(m_growing / "whole") : m_target;
    for (const PublishedFile& file : files)
        move(m_growing / file.name, into / file.name);
    trySyncFolder(into);
    if (isNew)
        move(into, m_target);
    trySyncFolder(m_target.parent_path());
    removeAll();
}

void DownloadFolder::removeAll() const
{
    std::error_code ignored;
    fs::remove_all(m_growing, ignored);
}

} // namespace accrue
