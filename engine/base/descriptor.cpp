// SPDX-License-Identifier: Apache-2.0
#include "engine/base/descriptor.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue {

Descriptor::~Descriptor()
{
    const int error = errno; // close(2) may set another one
    if (isOpen())
        ::close(m_number);
    errno = error;
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept
{
    std::swap(m_number, other.m_number); // `other` closes what was held
    return *this;
}

// By device and inode: a path does not show which file was opened under it.
bool Descriptor::isStillAt(const std::filesystem::path& path) const
{
    struct stat held { };
    struct stat named { };
    return isOpen() && ::fstat(m_number, &held) == 0 && ::stat(path.c_str(), &named) == 0
        && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

struct flock byteLock(short type, off_t byte)
{
    struct flock lock { };
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = byte;
    lock.l_len = 1;
    return lock;
}

// fsync of a file makes its content durable, but its name belongs to the folder.
bool trySyncFolder(const std::filesystem::path& folder)
{
    const char* const name = folder.empty() ? "." : folder.c_str();
    // A plain file name has an empty folder, which means the current one.
    const Descriptor descriptor(::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return descriptor.isOpen() && ::fsync(descriptor.get()) == 0;
}

} // namespace accrue
