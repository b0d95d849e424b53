// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/lock_file.h"

#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace accrue {

namespace {

[[noreturn]] void throwNotOpened(const std::filesystem::path& file, int error)
{
    const std::string name = file.string();
    const std::string reason = std::strerror(error);
    // Too many open files are a passing state of the machine; a denied folder is not.
    const bool isLimit = error == EMFILE || error == ENFILE;
    throw RunLogError(isLimit
            ? Message("runlog.lock_too_many_files", { { "file", name }, { "reason", reason } })
            : Message("runlog.lock_denied", { { "file", name }, { "reason", reason } }),
        RunLogError::kindOf(error));
}

} // namespace

std::filesystem::path lockFileOf(const std::filesystem::path& database)
{
    std::filesystem::path path = database;
    path += "-lock";
    return path;
}

// Open file description locks send no notice when they are released, so this polls. The pauses
// begin short, because a transaction takes a millisecond, and grow, because compacting a large log
// takes seconds.
bool succeedsWithin(std::chrono::milliseconds patience, const std::function<bool()>& tryOnce)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (std::chrono::milliseconds pause { 1 }; !tryOnce();
         pause = std::min(2 * pause, std::chrono::milliseconds(20))) {
        if (std::chrono::steady_clock::now() >= deadline)
            return false;
        std::this_thread::sleep_for(pause);
    }
    return true;
}

LockFile::LockFile(const std::filesystem::path& database, Purpose purpose)
    : m_path(lockFileOf(database))
{
    const bool writing = purpose == Purpose::Writing;
    // O_NONBLOCK: opening a pipe in its place would wait until somebody writes to it.
    const int flags = O_NONBLOCK | (writing ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC);
    m_descriptor = Descriptor(open(m_path.c_str(), flags, 0666));
    if (!m_descriptor.isOpen() && writing)
        throwNotOpened(m_path, errno);
}

bool LockFile::set(short type, off_t byte)
{
    struct flock lock = byteLock(type, byte);
    int result = 0;
    // Locks of the open file description, not of the process: closing any descriptor of the file
    // would release those of the process, and two writers in one process would not exclude each
    // other.
    do
        result = fcntl(m_descriptor.get(), F_OFD_SETLK, &lock);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

bool LockFile::isAlive(RunId run) const
{
    // Queries the lock without taking it: a reader that took it would make the run seem alive to
    // another.
    if (!isOpen())
        return false;
    struct flock lock = byteLock(F_WRLCK, aliveByte(run));
    return fcntl(m_descriptor.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

} // namespace accrue
