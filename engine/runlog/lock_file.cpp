// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/lock_file.h"

#include "engine/runlog/run_log_error.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue {

namespace {

constexpr off_t kTurnByte = 0;
constexpr off_t kPresenceByte = 1;
constexpr off_t kFirstAliveByte = 4096;

struct flock byteLock(short type, off_t byte)
{
    struct flock lock { };
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = byte;
    lock.l_len = 1;
    return lock;
}

bool setLock(int descriptor, short type, off_t byte)
{
    struct flock lock = byteLock(type, byte);
    int result = 0;
    do
        result = fcntl(descriptor, F_OFD_SETLK, &lock);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

off_t aliveByte(RunId run)
{
    return kFirstAliveByte + numberOf(run);
}

} // namespace

std::filesystem::path lockFileOf(const std::filesystem::path& database)
{
    std::filesystem::path path = database;
    path += "-lock";
    return path;
}

LockFile::LockFile(const std::filesystem::path& database, Purpose purpose)
    : m_path(lockFileOf(database))
{
    const bool writing = purpose == Purpose::Writing;
    // O_NONBLOCK: a pipe in its place would be waited for until somebody writes to it.
    const int flags = O_NONBLOCK | (writing ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC);
    m_descriptor = open(m_path.c_str(), flags, 0666);
    const int error = errno;
    if (m_descriptor < 0 && writing)
        throw RunLogError("The lock file " + m_path.string() + " cannot be opened for writing ("
                + std::strerror(error)
                + (error == EMFILE || error == ENFILE
                        ? "). Raise the limit of open files (ulimit -n)."
                        : "). Make the folder writable, or choose another run log with --db."),
            RunLogError::kindOf(error));
}

LockFile::~LockFile()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

bool LockFile::tryTurn()
{
    return setLock(m_descriptor, F_WRLCK, kTurnByte);
}

bool LockFile::trySharedTurn()
{
    return setLock(m_descriptor, F_RDLCK, kTurnByte);
}

void LockFile::endTurn()
{
    setLock(m_descriptor, F_UNLCK, kTurnByte);
}

bool LockFile::tryPresence()
{
    return setLock(m_descriptor, F_RDLCK, kPresenceByte);
}

bool LockFile::tryOnlyPresence()
{
    return setLock(m_descriptor, F_WRLCK, kPresenceByte);
}

bool LockFile::tryAlive(RunId run)
{
    return setLock(m_descriptor, F_WRLCK, aliveByte(run));
}

void LockFile::releaseAlive(RunId run)
{
    setLock(m_descriptor, F_UNLCK, aliveByte(run));
}

bool LockFile::isAlive(RunId run) const
{
    if (!isOpen())
        return false;
    struct flock lock = byteLock(F_WRLCK, aliveByte(run));
    return fcntl(m_descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool LockFile::isStillThere() const
{
    struct stat held { };
    struct stat named { };
    return isOpen() && fstat(m_descriptor, &held) == 0 && stat(m_path.c_str(), &named) == 0
        && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

} // namespace accrue
