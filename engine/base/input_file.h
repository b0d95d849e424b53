// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "engine/base/descriptor.h"
#include "engine/base/error.h"

struct gzFile_s; // zlib's *gzFile

namespace accrue {

// A regular file open for reading, as stored. Throws Error with the path and the reason: it is
// not there, may not be read, is a folder or a device, or cannot be read on. One thread.
class InputFile {
public:
    explicit InputFile(const std::filesystem::path& path);

    // Up to `size` bytes; fewer only at the end of the file, 0 there. Blocks.
    std::size_t read(void* bytes, std::size_t size);
    std::uint64_t size() const { return m_size; } // as it was when opened
    // Hands the descriptor over; the object can no longer read.
    int release() { return m_descriptor.release(); }

private:
    std::filesystem::path m_path;
    Descriptor m_descriptor;
    std::uint64_t m_size = 0;
};

// The bytes of a file that gzip has packed inflated, those of any other as stored. Nothing is
// inflated that was not asked for, so a file costs the memory of its reader's buffer whatever it
// holds. Throws Error as InputFile, and where the compressed bytes are damaged. One thread.
class InflatedFile {
public:
    explicit InflatedFile(const std::filesystem::path& path);
    ~InflatedFile();
    InflatedFile(const InflatedFile&) = delete;
    InflatedFile& operator=(const InflatedFile&) = delete;

    // Up to `size` bytes; fewer only at the end, or where compressed bytes end too early. Blocks.
    std::size_t read(void* bytes, std::size_t size);
    // No content of this file can be longer: its size, or where it is compressed the 1032-fold
    // that deflate reaches at most.
    std::uint64_t largestContent() const { return m_largestContent; }
    // Whether the last read met the end of the compressed bytes before that of their content.
    bool endsEarly() const { return m_endsEarly; }
    const std::filesystem::path& path() const { return m_path; }

private:
    void throwIfDamaged();

    std::filesystem::path m_path;
    std::uint64_t m_largestContent = 0;
    bool m_endsEarly = false;
    gzFile_s* m_stream = nullptr;
};

} // namespace accrue
