// SPDX-License-Identifier: Apache-2.0
#include "engine/base/files.h"

#include "engine/base/descriptor.h"
#include "engine/base/error.h"
#include "engine/base/file_messages.h"
#include "engine/base/output_file.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

TextFile unreadable(const fs::path& file, int error)
{
    // ENOTDIR: a part of the path is a file, so the file does not exist, either.
    if (error == ENOENT || error == ENOTDIR)
        return { {}, fileMissing(file), true };
    return { {}, fileUnreadable(file, error) };
}

constexpr int kPatienceMs = 1000; // with a pipe that nobody has opened for writing yet

// False: no data in that time; below 0 waits for ever.
bool waitForData(int descriptor, int milliseconds)
{
    pollfd waiting { descriptor, POLLIN, 0 };
    return ::poll(&waiting, 1, milliseconds) > 0;
}

// Why a file of this kind cannot be read; empty: it can. Of devices only a terminal may be read:
// another one may never end, or have side effects.
Message refusal(const fs::path& file, const struct stat& status, int descriptor, Streams streams)
{
    if (S_ISDIR(status.st_mode))
        return Message("base.file_is_folder", { { "file", file } });
    const bool streamable =
        S_ISFIFO(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(descriptor) == 1);
    if (S_ISREG(status.st_mode) || (streamable && streams == Streams::Read))
        return {};
    return Message(S_ISFIFO(status.st_mode) ? "base.file_is_pipe" : "base.file_is_device",
        { { "file", file } });
}

// 0: the end; below 0: errno has the reason. Only a stream is waited for: a file that is not ready,
// as some of /proc are, may never be.
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

// `silent`: a pipe that nobody has opened for writing in the permitted time.
TextFile readAll(const fs::path& file, int descriptor, bool stream, bool silent)
{
    TextFile read;
    std::array<char, 65536> block;
    // The limit is checked while reading: a stream has no size in advance.
    while (read.text.size() <= kLargestTextFile) {
        const ssize_t got = readBlock(descriptor, stream, block);
        if (got < 0)
            return unreadable(file, errno);
        // A pipe without a writer reports its end at once, as if it were empty.
        if (got == 0 && silent && read.text.empty())
            return { {}, Message("base.pipe_without_writer", { { "file", file } }) };
        if (got == 0)
            return read;
        read.text.append(block.data(), static_cast<std::size_t>(got));
    }
    return { {},
        Message("base.file_too_large",
            { { "file", file }, { "limit", ByteCount { kLargestTextFile } } }) };
}

} // namespace

TextFile readTextFile(const fs::path& file, Streams streams)
{
    // Without O_NONBLOCK, opening a pipe would block until another process writes to it. The kind
    // is that of the descriptor, because the path may name another file a moment later.
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status { };
    if (!descriptor.isOpen() || ::fstat(descriptor.get(), &status) != 0)
        return unreadable(file, errno);
    if (const Message problem = refusal(file, status, descriptor.get(), streams); !problem.empty())
        return { {}, problem };
    // Until somebody opens it, read() would report the end of the pipe.
    const bool silent = S_ISFIFO(status.st_mode) && !waitForData(descriptor.get(), kPatienceMs);
    return readAll(file, descriptor.get(), !S_ISREG(status.st_mode), silent);
}

void writeTextFile(const fs::path& file, std::string_view text)
{
    // Through a link, the file behind it is replaced, not the link.
    std::error_code ignored;
    const fs::path target =
        fs::is_symlink(file, ignored) ? fs::weakly_canonical(file, ignored) : file;
    AtomicFile out(
        target, [&file](WriteStep, int error) { throw Error(fileUnwritable(file, error)); });
    out.write(text);
    out.commit();
}

} // namespace accrue
