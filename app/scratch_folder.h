// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace accrue {

// A new empty folder among the temporary files, which is deleted with its contents. Throws
// std::system_error if none can be created.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::filesystem::path sub(const char* name) const; // a folder in it, created if missing

private:
    std::filesystem::path m_path;
};

} // namespace accrue
