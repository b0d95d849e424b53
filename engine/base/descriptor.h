// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

#include <fcntl.h>

namespace accrue {

// A descriptor of an open file, which is closed with it without changing errno; below 0: open(2)
// failed.
class Descriptor {
public:
    explicit Descriptor(int number = -1)
        : m_number(number)
    {
    }
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept
        : m_number(other.release())
    {
    }
    Descriptor& operator=(Descriptor&& other) noexcept;

    int get() const { return m_number; }
    bool isOpen() const { return m_number >= 0; }
    int release() { return std::exchange(m_number, -1); } // the caller closes it
    // Whether `path` names the open file: nobody has renamed, removed or replaced it.
    bool isStillAt(const std::filesystem::path& path) const;

private:
    int m_number;
};

// For fcntl(2): a lock (F_RDLCK, F_WRLCK, F_UNLCK) of one byte of a file.
struct flock byteLock(short type, off_t byte);

// Makes names that were created, renamed or removed in `folder` durable. Returns false if it
// cannot, with errno.
bool trySyncFolder(const std::filesystem::path& folder);

} // namespace accrue
