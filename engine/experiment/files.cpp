// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/files.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

class Descriptor {
public:
    explicit Descriptor(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    ~Descriptor()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_descriptor; }
    bool isOpen() const { return m_descriptor >= 0; }

private:
    const int m_descriptor;
};

std::string reason(int error)
{
    return std::generic_category().message(error);
}

TextFile problem(const fs::path& file, const std::string& what)
{
    return { {}, file.string() + " " + what + ".", false };
}

TextFile unreadable(const fs::path& file, int error)
{
    if (error == ENOENT || error == ENOTDIR)
        return { {}, file.string() + " is not there.", true };
    return problem(file, "cannot be read: " + reason(error));
}

[[noreturn]] void failWriting(const fs::path& file)
{
    throw std::system_error(errno, std::generic_category(), file.string() + " cannot be written");
}

void writeAll(int descriptor, std::string_view text, const fs::path& file)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            failWriting(file);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

// A rename is on the disk only when its folder is.
void synchroniseFolder(const fs::path& folder)
{
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.isOpen())
        ::fsync(descriptor.get());
}

// The temporary file, removed unless it was renamed.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target)
        : m_path(target.string() + ".XXXXXX")
        , m_descriptor(::mkostemp(m_path.data(), O_CLOEXEC))
    {
    }
    ~TemporaryFile()
    {
        if (m_descriptor.isOpen())
            ::unlink(m_path.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    int descriptor() const { return m_descriptor.get(); }
    bool isOpen() const { return m_descriptor.isOpen(); }
    const char* path() const { return m_path.c_str(); }

private:
    std::string m_path;
    const Descriptor m_descriptor;
};

// What open(2) would have given a new file: mkstemp's 0600 would hide a recipe from a colleague.
mode_t modeOf(const fs::path& file)
{
    struct stat existing { };
    if (::stat(file.c_str(), &existing) == 0)
        return existing.st_mode & 07777;
    return 0644;
}

constexpr int kPatienceMs = 1000; // with a pipe that nobody has opened for writing yet

// False: nothing came in that time; below 0 waits for ever.
bool waitForData(int descriptor, int milliseconds)
{
    pollfd waiting { descriptor, POLLIN, 0 };
    return ::poll(&waiting, 1, milliseconds) > 0;
}

// What keeps a file of this kind from being read; empty: nothing.
std::string refusal(const struct stat& status, int descriptor, Streams streams)
{
    if (S_ISDIR(status.st_mode))
        return "is a folder, not a file";
    const bool streamable =
        S_ISFIFO(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(descriptor) == 1);
    if (S_ISREG(status.st_mode) || (streamable && streams == Streams::Read))
        return {};
    return S_ISFIFO(status.st_mode) ? "is a pipe, not a file" : "is a device, not a file";
}

// 0: the end; below 0: errno says why. Only a stream is waited for: a file that is not ready, as
// some of /proc are, may never be.
template <std::size_t Size>
ssize_t readBlock(int descriptor, bool stream, std::array<char, Size>& block)
{
    for (;;) {
        const ssize_t got = ::read(descriptor, block.data(), block.size());
        const bool again = got < 0 && (errno == EINTR || (stream && errno == EAGAIN));
        if (!again)
            return got;
        if (errno == EAGAIN)
            waitForData(descriptor, -1);
    }
}

// `silent`: a pipe that nobody has opened for writing in the time that it was given.
TextFile readAll(const fs::path& file, int descriptor, bool stream, bool silent)
{
    TextFile read;
    std::array<char, 65536> block;
    while (read.text.size() <= kLargestTextFile) {
        const ssize_t got = readBlock(descriptor, stream, block);
        if (got < 0)
            return unreadable(file, errno);
        if (got == 0 && silent && read.text.empty())
            return problem(file, "is a pipe that nobody writes to");
        if (got == 0)
            return read;
        read.text.append(block.data(), static_cast<std::size_t>(got));
    }
    return problem(file, "is larger than 1 MiB, the most that such a file may have");
}

} // namespace

TextFile readTextFile(const fs::path& file, Streams streams)
{
    // Without O_NONBLOCK a pipe would wait here for somebody to write to it, and say nothing.
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status { };
    if (!descriptor.isOpen() || ::fstat(descriptor.get(), &status) != 0)
        return unreadable(file, errno);
    if (const std::string what = refusal(status, descriptor.get(), streams); !what.empty())
        return problem(file, what);
    const bool silent = S_ISFIFO(status.st_mode) && !waitForData(descriptor.get(), kPatienceMs);
    return readAll(file, descriptor.get(), !S_ISREG(status.st_mode), silent);
}

void writeTextFile(const fs::path& file, std::string_view text)
{
    // Through a link the file behind it is replaced, not the link.
    std::error_code ignored;
    const fs::path target =
        fs::is_symlink(file, ignored) ? fs::weakly_canonical(file, ignored) : file;
    TemporaryFile temporary(target);
    if (!temporary.isOpen())
        failWriting(file);
    writeAll(temporary.descriptor(), text, file);
    if (::fchmod(temporary.descriptor(), modeOf(target)) != 0
        || ::fsync(temporary.descriptor()) != 0 || ::rename(temporary.path(), target.c_str()) != 0)
        failWriting(file);
    synchroniseFolder(target.has_parent_path() ? target.parent_path() : fs::path("."));
}

} // namespace accrue
