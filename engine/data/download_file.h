// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "engine/data/raw_data.h"

namespace accrue {

// A file cannot be written. what() is a sentence that names it, the system's words ("No space left
// on device") and what to do.
class DiskError : public DataError {
public:
    using DataError::DataError;
};

// A file that is written from its end on. Every failure throws DiskError. One thread.
class DownloadFile {
public:
    // Made where it is missing; what it holds stays.
    explicit DownloadFile(const std::filesystem::path& path);
    ~DownloadFile();
    DownloadFile(const DownloadFile&) = delete;
    DownloadFile& operator=(const DownloadFile&) = delete;

    std::int64_t size() const { return m_size; }
    void append(const void* bytes, std::size_t size);
    void clear();
    void synchronise(); // Blocks until the disk has it.

private:
    [[noreturn]] void fail(int error) const;

    const std::filesystem::path m_path;
    int m_descriptor;
    std::int64_t m_size = 0;
};

} // namespace accrue
