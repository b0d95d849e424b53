// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace accrue {

// A new empty folder in that of temporary files, which goes away with its contents. Throws
// std::system_error where none can be made.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::filesystem::path sub(const char* name) const; // a folder in it, made where it is missing

private:
    std::filesystem::path m_path;
};

} // namespace accrue
