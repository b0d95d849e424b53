// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/fuzz/fuzz_target.h"

namespace accrue::fuzz {

// A folder in memory; removed when the process ends.
class Folder {
public:
    Folder()
    {
        std::string made = "/dev/shm/accrue-fuzz-XXXXXX"; // mkdtemp's pattern
        demand(::mkdtemp(made.data()) != nullptr, "there is a place for files");
        m_path = made;
    }
    ~Folder() { std::filesystem::remove_all(m_path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::string path(const char* name) const { return (m_path / name).string(); }

private:
    std::filesystem::path m_path;
};

} // namespace accrue::fuzz
