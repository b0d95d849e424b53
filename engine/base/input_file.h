// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "engine/base/descriptor.h"
#include "engine/base/error.h"

struct gzFile_s; // zlib's *gzFile

namespace accrue {

// A regular file open for reading, as stored. Throws Error with the path and the reason: it does
// not exist, may not be read, is a folder or a device, or reading fails. One thread.
class InputFile {
public:
    explicit InputFile(const std::filesystem::path& path);

    // Up to `size` bytes; fewer only at the end of the file, 0 there. Blocks.
    std::size_t read(void* bytes, std::size_t size);
    std::uint64_t size() const { return m_size; } // as it was when opened
    // Passes the descriptor to the caller; the object can no longer read.
    int release() { return m_descriptor.release(); }

private:
    std::filesystem::path m_path;
    Descriptor m_descriptor;
    std::uint64_t m_size = 0;
};

// The inflated bytes of a file that gzip has packed, those of any other as stored. Inflates only as
// much as is requested, so a file costs the memory of its reader's buffer, whatever it contains.
// Throws Error as InputFile, and if the compressed bytes are damaged. One thread.
class InflatedFile {
public:
    explicit InflatedFile(const std::filesystem::path& path);
    ~InflatedFile();
    InflatedFile(const InflatedFile&) = delete;
    InflatedFile& operator=(const InflatedFile&) = delete;

    // Up to `size` bytes; fewer only at the end, or where compressed bytes end too early. Blocks.
    std::size_t read(void* bytes, std::size_t size);
    // An upper limit of the content: the file's size, or if it is compressed, 1032 times that, the
    // maximum of deflate.
    std::uint64_t largestContent() const { return m_largestContent; }
    // Whether the last read reached the end of the compressed bytes before that of their content.
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
