// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace accrue {

// A new file whose bytes are on the disk once `close` returns. Every failure throws EngineError
// naming the file and the system's words ("No space left on device").
class DurableFile {
public:
    explicit DurableFile(const std::filesystem::path& file); // made or emptied
    ~DurableFile(); // without `close`, what was written so far may be lost
    DurableFile(const DurableFile&) = delete;
    DurableFile& operator=(const DurableFile&) = delete;

    void write(const void* bytes, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }
    void close(); // Blocks until the disk has it.

private:
    const std::filesystem::path m_file;
    int m_descriptor;
};

// Makes names that were created, renamed or removed in `folder` durable.
void syncFolder(const std::filesystem::path& folder);

// Puts the folder `made` in the place of `target` by one rename: at any instant `target` is the old
// folder or the new one. Both have the same parent.
void replaceFolder(const std::filesystem::path& made, const std::filesystem::path& target);

} // namespace accrue
