// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace accrue {

// A file or folder that this process writes beside `target`, until it takes its place. It is
// removed with this object unless it was placed, however the writing of it ended.
class Unfinished {
public:
    // To be written as TARGET.writing-PID-RANDOM, in the same folder, a name that no other object
    // of any machine has. What processes that ended left of the same target is removed.
    explicit Unfinished(const std::filesystem::path& target);
    // Written already, under a name that only one process at a time may use.
    Unfinished(std::filesystem::path written, std::filesystem::path target);
    ~Unfinished();
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    // One rename, made durable where the file system can do so. Returns false, with errno, where it
    // could not take the place.
    bool place();
    void keep() { m_keep = true; } // where it lies

private:
    const std::filesystem::path m_path;
    const std::filesystem::path m_target;
    bool m_keep = false;
};

// Removes from `folder` what processes that were killed left under such names, of targets whose
// name is `target`; empty: of any. That is what has not been changed for a day, whose process has
// ended or has this one's id. What cannot be removed stays.
void removeUnfinished(const std::filesystem::path& folder, std::string_view target = {});

} // namespace accrue
