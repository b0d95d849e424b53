// SPDX-License-Identifier: Apache-2.0
#include "engine/data/download_file.h"

#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue {

DownloadFile::DownloadFile(const std::filesystem::path& path)
    : m_path(path)
    // O_NONBLOCK: a pipe in its place would be waited for.
    , m_descriptor(::open(
          path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644))
{
    struct stat status { };
    if (m_descriptor < 0)
        fail(errno);
    const int failed = ::fstat(m_descriptor, &status);
    if (failed != 0 || !S_ISREG(status.st_mode)) {
        ::close(m_descriptor);
        fail(failed != 0 ? errno : EINVAL);
    }
    m_size = status.st_size;
}

DownloadFile::~DownloadFile()
{
    ::close(m_descriptor);
}

void DownloadFile::append(const void* bytes, std::size_t size)
{
    const char* next = static_cast<const char*>(bytes);
    while (size > 0) {
        const ::ssize_t written = ::write(m_descriptor, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail(errno);
        next += written;
        size -= static_cast<std::size_t>(written);
        m_size += written;
    }
}

void DownloadFile::clear()
{
    if (::ftruncate(m_descriptor, 0) != 0)
        fail(errno);
    m_size = 0;
}

void DownloadFile::synchronise()
{
    if (::fsync(m_descriptor) != 0)
        fail(errno);
}

void DownloadFile::fail(int error) const
{
    const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    throw DiskError(m_path.string()
        + " cannot be written: " + std::generic_category().message(error)
        + (full ? ". Free some space and fetch again: what has arrived is kept."
                : ". Make its folder writable, or choose another one."));
}

} // namespace accrue
