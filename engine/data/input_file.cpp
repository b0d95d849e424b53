// SPDX-License-Identifier: Apache-2.0
#include "engine/data/input_file.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace accrue {
namespace {

constexpr std::uint64_t kDeflateLimit = 1032; // bytes that one compressed byte can become
constexpr unsigned kInflateBuffer = 1U << 17;

std::string systemReason(int error)
{
    return std::system_category().message(error);
}

[[noreturn]] void throwCannotOpen(const std::filesystem::path& path, int error)
{
    if (error == ENOENT)
        throw DataError(path.string() + " is not there.");
    if (error == EACCES || error == EPERM)
        throw DataError(path.string()
            + " may not be read (permission denied): change its permissions, or those of the "
              "folders above it, so that you can read it.");
    throw DataError(path.string() + " cannot be opened: " + systemReason(error) + ".");
}

void requireRegularFile(const std::filesystem::path& path, const struct stat& status)
{
    if (S_ISDIR(status.st_mode))
        throw DataError(path.string()
            + " is a folder where a file is expected: put the data file itself there.");
    if (!S_ISREG(status.st_mode))
        throw DataError(path.string() + " is not a regular file: put the data file itself there.");
}

} // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : m_path(path)
    // Without O_NONBLOCK a named pipe in place of the file would wait for its writer forever.
    , m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
{
    if (m_descriptor < 0)
        throwCannotOpen(path, errno);
    struct stat status { };
    try {
        if (::fstat(m_descriptor, &status) != 0)
            throwCannotOpen(path, errno);
        requireRegularFile(path, status);
    } catch (...) {
        ::close(m_descriptor);
        throw;
    }
    m_size = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::size_t InputFile::read(void* bytes, std::size_t size)
{
    std::size_t done = 0;
    while (done < size) {
        const ssize_t taken = ::read(m_descriptor, static_cast<char*>(bytes) + done, size - done);
        if (taken == 0)
            break;
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0)
            throw DataError(m_path.string() + " cannot be read: " + systemReason(errno) + ".");
        done += static_cast<std::size_t>(taken);
    }
    return done;
}

int InputFile::release()
{
    return std::exchange(m_descriptor, -1);
}

InflatedFile::InflatedFile(const std::filesystem::path& path)
    : m_path(path)
{
    InputFile file(path);
    const std::uint64_t size = file.size();
    const int descriptor = file.release();
    m_stream = ::gzdopen(descriptor, "rb");
    if (m_stream == nullptr) {
        ::close(descriptor);
        throw DataError(path.string() + " cannot be read: not enough memory.");
    }
    ::gzbuffer(m_stream, kInflateBuffer);
    m_largestContent = ::gzdirect(m_stream) != 0 ? size : size * kDeflateLimit;
}

InflatedFile::~InflatedFile()
{
    ::gzclose(m_stream);
}

std::size_t InflatedFile::read(void* bytes, std::size_t size)
{
    std::size_t done = 0;
    while (done < size) {
        const std::size_t wanted = std::min<std::size_t>(size - done, 1U << 30);
        const int taken =
            ::gzread(m_stream, static_cast<char*>(bytes) + done, static_cast<unsigned>(wanted));
        if (taken <= 0) {
            throwIfDamaged();
            break;
        }
        done += static_cast<std::size_t>(taken);
    }
    return done;
}

void InflatedFile::throwIfDamaged()
{
    int error = Z_OK;
    const std::string said = ::gzerror(m_stream, &error);
    const std::size_t place = said.find(": "); // "<fd:3>: incorrect data check"
    const std::string reason = place == std::string::npos ? said : said.substr(place + 2);
    m_endsEarly = error == Z_BUF_ERROR;
    if (error == Z_OK || error == Z_STREAM_END || m_endsEarly)
        return;
    throw DataError(m_path.string() + " is damaged, it cannot be inflated ("
        + (error == Z_ERRNO ? systemReason(errno) : reason) + "): get the file again.");
}

} // namespace accrue
