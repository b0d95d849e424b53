// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace accrue {

// A file or folder that this process writes beside `target`, until it replaces it. It is removed
// with this object unless it was placed, however writing it ended.
class Unfinished {
public:
    // To be written as TARGET.writing-PID-RANDOM, in the same folder, a name that no other object
    // of any machine has. Removes what ended processes have left of the same target.
    explicit Unfinished(const std::filesystem::path& target);
    // Already written, under a name that only one process at a time may use.
    Unfinished(std::filesystem::path written, std::filesystem::path target);
    ~Unfinished();
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    // One rename, made durable if the file system supports that. Returns false, with errno, if it
    // could not replace the target.
    bool place();
    void keep() { m_keep = true; } // retains it under its present name

private:
    const std::filesystem::path m_path;
    const std::filesystem::path m_target;
    bool m_keep = false;
};

// Removes from `folder` what killed processes have left under such names, of targets with the name
// `target`; empty: of any. That is, what has not been changed for a day and whose process has ended
// or has the id of this one. What cannot be removed stays.
void removeUnfinished(const std::filesystem::path& folder, std::string_view target = {});

} // namespace accrue
