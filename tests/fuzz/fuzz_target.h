// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

// One target: any bytes. Wrong is what crashes, hangs, leaks or takes gigabytes, and what
// `demand` finds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace accrue::fuzz {

// Ends the process, as a crash, where the code under test broke its promise.
inline void demand(bool holds, const char* promise)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

// A file in memory, for readers that take a path.
class MemoryFile {
public:
    MemoryFile()
        : m_descriptor(::memfd_create("fuzz", MFD_CLOEXEC))
    {
        demand(m_descriptor >= 0, "there is memory for a file");
    }
    ~MemoryFile() { ::close(m_descriptor); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    void hold(const std::uint8_t* bytes, std::size_t size)
    {
        const bool held = ::ftruncate(m_descriptor, 0) == 0
            && ::pwrite(m_descriptor, bytes, size, 0) == static_cast<ssize_t>(size);
        demand(held, "the file holds the bytes");
    }
    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

inline std::string_view textOf(const std::uint8_t* bytes, std::size_t size)
{
    return { reinterpret_cast<const char*>(bytes), size };
}

} // namespace accrue::fuzz
