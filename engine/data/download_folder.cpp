// SPDX-License-Identifier: Apache-2.0
#include "engine/data/download_folder.h"

#include "engine/data/download_sets.h"
#include "engine/experiment/format.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue {
namespace {

namespace fs = std::filesystem;

std::string reasonOf(int error)
{
    return std::generic_category().message(error);
}

void makeFolder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error && !fs::is_directory(folder, error))
        error = std::make_error_code(std::errc::not_a_directory);
    if (error)
        throw DownloadRefused(folder.string() + " cannot be made: " + error.message()
            + ". Choose another folder to fetch into.");
}

// Makes names that were created, renamed or removed in it durable; a file system that cannot is
// no reason to fail.
void synchronise(const fs::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

void move(const fs::path& from, const fs::path& to)
{
    if (::rename(from.c_str(), to.c_str()) != 0)
        throw DataError(to.string() + " cannot be put into place: " + reasonOf(errno)
            + ". What was fetched is kept in " + from.string() + ".");
}

// The path still names the open file: its holder before us has not removed it.
bool isStillThere(int descriptor, const fs::path& path)
{
    struct stat held { };
    struct stat named { };
    return ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0
        && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

} // namespace

DownloadFolder::DownloadFolder(const fs::path& folder, const std::string& name)
    : m_folder(folder)
    , m_target(folder / name)
    , m_growing(folder / (name + ".part"))
    , m_ready(m_growing / "ready")
    , m_lockFile(folder / (name + ".part.lock"))
{
    makeFolder(m_folder);
    lock();
    try {
        makeFolder(m_ready);
    } catch (...) {
        ::close(m_lock);
        throw;
    }
}

DownloadFolder::~DownloadFolder()
{
    removeWhatIsEmpty();
    std::error_code ignored;
    fs::remove(m_lockFile, ignored); // while it is held, so that nobody else's is removed
    ::close(m_lock);
}

// A file of which nothing arrived, what is noted beside a file that is gone, folders without files.
void DownloadFolder::removeWhatIsEmpty() const
{
    std::error_code ignored;
    std::vector<fs::path> empty;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_growing, ignored)) {
        const fs::path& path = entry.path();
        const fs::path part =
            path.extension() == ".origin" ? path.parent_path() / path.stem() : path;
        std::error_code gone;
        const bool holdsBytes = fs::file_size(part, gone) > 0 && !gone;
        if (!holdsBytes && entry.is_regular_file(gone))
            empty.push_back(path);
    }
    for (const fs::path& path : empty)
        fs::remove(path, ignored);
    fs::remove(m_ready, ignored);
    fs::remove(m_growing, ignored);
}

void DownloadFolder::lock()
{
    while (m_lock < 0) {
        m_lock = ::open(m_lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
        if (m_lock < 0)
            throw DownloadRefused(m_lockFile.string() + " cannot be made: " + reasonOf(errno)
                + ". Make the folder writable, or choose another one to fetch into.");
        if (::flock(m_lock, LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            ::close(m_lock);
            throw DataError(error == EWOULDBLOCK
                    ? m_target.string()
                        + " is being fetched by another process: wait for it, or "
                          "choose another folder to fetch into."
                    : m_lockFile.string() + " cannot be locked: " + reasonOf(error) + ".");
        }
        if (isStillThere(m_lock, m_lockFile))
            return;
        ::close(m_lock);
        m_lock = -1;
    }
}

void DownloadFolder::requireRoom(std::int64_t bytes) const
{
    std::error_code error;
    const auto space = fs::space(m_folder, error);
    if (error || space.available >= static_cast<std::uintmax_t>(std::max<std::int64_t>(bytes, 0)))
        return;
    throw DataError(m_target.string() + " needs " + formatBytes(bytes) + " more, but only "
        + formatBytes(static_cast<std::int64_t>(space.available))
        + " are free on its disk. Free some space, or choose another folder to fetch into.");
}

void DownloadFolder::install(const std::vector<std::string>& files) const
{
    std::error_code error;
    if (!fs::exists(m_target, error)) {
        synchronise(m_ready);
        move(m_ready, m_target);
    } else {
        for (const std::string& file : files)
            move(m_ready / file, m_target / file);
        synchronise(m_target);
    }
    synchronise(m_folder);
    removeAll();
}

void DownloadFolder::removeAll() const
{
    std::error_code ignored;
    fs::remove_all(m_growing, ignored);
}

} // namespace accrue
