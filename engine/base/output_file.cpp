// SPDX-License-Identifier: Apache-2.0
#include "engine/base/output_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue {

namespace {

// Refuse and Extend never follow a link: in a folder that several users share, somebody else's link
// could lead to a file of this user.
int flagsFor(OutputFile::Existing existing)
{
    switch (existing) {
    case OutputFile::Existing::Empty:
        return O_TRUNC;
    case OutputFile::Existing::Refuse:
        return O_EXCL;
    case OutputFile::Existing::Extend:
        break;
    }
    return O_APPEND | O_NOFOLLOW | O_NONBLOCK; // opening a pipe in its place would block
}

} // namespace

OutputFile::OutputFile(const std::filesystem::path& file, WriteFailure fail, Existing existing)
    : m_fail(std::move(fail))
    , m_descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flagsFor(existing), 0666))
{
    if (!m_descriptor.isOpen())
        m_fail(WriteStep::Make, errno);
    if (existing != Existing::Extend)
        return;
    // A pipe or a device could have been opened in place of the file, and has no end to write from.
    struct stat status { };
    if (::fstat(m_descriptor.get(), &status) != 0)
        m_fail(WriteStep::Make, errno);
    if (!S_ISREG(status.st_mode))
        m_fail(WriteStep::Make, EINVAL);
    m_size = status.st_size;
}

// write(2) may write a part, and report the full disk only at the next call.
void OutputFile::write(const void* bytes, std::size_t size)
{
    const char* next = static_cast<const char*>(bytes);
    while (size > 0) {
        const ::ssize_t written = ::write(m_descriptor.get(), next, size);
        if (written < 0 && errno != EINTR)
            m_fail(WriteStep::Write, errno);
        if (written > 0) {
            next += written;
            size -= static_cast<std::size_t>(written);
            m_size += written;
        }
    }
}

void OutputFile::clear()
// The file is opened with O_APPEND, so the next write begins at its new end.
{
    if (::ftruncate(m_descriptor.get(), 0) != 0)
        m_fail(WriteStep::Write, errno);
    m_size = 0;
}

void OutputFile::close()
{
    // EINVAL: this file system cannot synchronise, which is no reason to fail.
    if (::fsync(m_descriptor.get()) != 0 && errno != EINVAL)
        m_fail(WriteStep::Write, errno);
    // Some file systems report a full disk only now.
    if (::close(m_descriptor.release()) != 0)
        m_fail(WriteStep::Write, errno);
}

AtomicFile::AtomicFile(const std::filesystem::path& target, const WriteFailure& fail)
    : m_fail(fail)
    , m_unfinished(target)
    , m_out(m_unfinished.path(), fail, OutputFile::Existing::Refuse)
{
    std::error_code unknown; // a target that cannot be examined counts as missing
    const std::filesystem::file_status replaced = std::filesystem::status(target, unknown);
    if (!std::filesystem::exists(replaced))
        return;
    // Before the first byte: data that only its owner may read must not be readable for others
    // meanwhile.
    std::error_code error;
    std::filesystem::permissions(m_unfinished.path(), replaced.permissions(), error);
    if (error)
        m_fail(WriteStep::Write, error.value());
}

// The content first: a name that is durable before its content would be an empty file after a power
// failure.
void AtomicFile::commit()
{
    m_out.close();
    if (!m_unfinished.place())
        m_fail(WriteStep::Replace, errno);
}

} // namespace accrue
