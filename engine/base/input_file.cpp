// SPDX-License-Identifier: Apache-2.0
#include "engine/base/input_file.h"

#include "engine/base/file_messages.h"

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace accrue {
namespace {

// The format's own limit: a match of 258 bytes needs at least two bits. It bounds the cost of a
// packed file before it is inflated.
constexpr std::uint64_t kDeflateLimit = 1032; // bytes that one compressed byte can become
constexpr unsigned kInflateBuffer = 1U << 17;

// A missing permission has a sentence of its own, which names the remedy.
[[noreturn]] void throwCannotOpen(const std::filesystem::path& path, int error)
{
    if (error == ENOENT)
        throw Error(fileMissing(path));
    if (error == EACCES || error == EPERM)
        throw Error(Message("base.file_forbidden", { { "file", path } }));
    throw Error(Message(
        "base.file_cannot_be_opened", { { "file", path }, { "reason", systemReason(error) } }));
}

} // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : m_path(path)
    // Without O_NONBLOCK a named pipe in place of the file would wait for its writer forever.
    , m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
{
    struct stat status { };
    if (!m_descriptor.isOpen() || ::fstat(m_descriptor.get(), &status) != 0)
        throwCannotOpen(path, errno);
    if (!S_ISREG(status.st_mode))
        throw Error(
            Message(S_ISDIR(status.st_mode) ? "base.folder_for_file" : "base.file_not_regular",
                { { "file", path } }));
    m_size = static_cast<std::uint64_t>(status.st_size);
}

// read(2) returns at most 2 GiB at once, and less after a signal.
std::size_t InputFile::read(void* bytes, std::size_t size)
{
    std::size_t done = 0;
    while (done < size) {
        const ssize_t taken =
            ::read(m_descriptor.get(), static_cast<char*>(bytes) + done, size - done);
        if (taken == 0)
            break;
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0)
            throw Error(fileUnreadable(m_path, errno));
        done += static_cast<std::size_t>(taken);
    }
    return done;
}

InflatedFile::InflatedFile(const std::filesystem::path& path)
    : m_path(path)
{
    InputFile file(path);
    const std::uint64_t size = file.size();
    const int descriptor = file.release(); // gzclose closes it
    m_stream = ::gzdopen(descriptor, "rb");
    if (m_stream == nullptr) {
        // gzdopen has not taken the descriptor over.
        ::close(descriptor);
        throw Error(Message("base.file_needs_memory", { { "file", path } }));
    }
    ::gzbuffer(m_stream, kInflateBuffer);
    // gzdirect reads the first bytes, as gzread does: the file's name does not matter.
    m_largestContent = ::gzdirect(m_stream) != 0 ? size : size * kDeflateLimit;
}

InflatedFile::~InflatedFile()
{
    ::gzclose(m_stream);
}

std::size_t InflatedFile::read(void* bytes, std::size_t size)
{
    const std::size_t done = ::gzfread(bytes, 1, size, m_stream);
    if (done < size)
        throwIfDamaged();
    return done;
}

void InflatedFile::throwIfDamaged()
{
    int error = Z_OK;
    const std::string text = ::gzerror(m_stream, &error);
    const std::size_t place = text.find(": "); // "<fd:3>: incorrect data check"
    const std::string reason = place == std::string::npos ? text : text.substr(place + 2);
    // No damage yet: the caller knows better what is missing.
    m_endsEarly = error == Z_BUF_ERROR;
    if (error == Z_OK || error == Z_STREAM_END || m_endsEarly)
        return;
    throw Error(Message("base.gzip_damaged",
        { { "file", m_path }, { "reason", error == Z_ERRNO ? systemReason(errno) : reason } }));
}

} // namespace accrue
