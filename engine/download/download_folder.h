// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/descriptor.h"
#include "engine/data/published_sets.h"

namespace accrue {

// Where a data set grows before it is whole: FOLDER/NAME.part, so that FOLDER/NAME only ever
// contains whole files. While the object lives, other processes that want the set are refused by
// the lock on FOLDER/NAME.part.lock, which the system releases however this process ends. One
// thread.
class DownloadFolder {
public:
    // Makes what is missing; the destructor removes folders that stayed empty. Throws
    // DownloadRefused where `folder` cannot be made, Error where another process holds the
    // lock.
    DownloadFolder(const std::filesystem::path& folder, const std::string& name);
    ~DownloadFolder();
    DownloadFolder(const DownloadFolder&) = delete;
    DownloadFolder& operator=(const DownloadFolder&) = delete;

    const std::filesystem::path& target() const { return m_target; } // FOLDER/NAME
    // FOLDER/NAME.part, for what is still needed, and its `ready`, for what is to be installed.
    const std::filesystem::path& growing() const { return m_growing; }
    const std::filesystem::path& ready() const { return m_ready; }

    // Throws Error where the disk has less room than that: better now than after an hour.
    void requireRoom(std::int64_t bytes) const;
    // Moves these files of ready() into FOLDER/NAME, all at once where that is not there yet, and
    // deletes FOLDER/NAME.part. Throws Error.
    void install(const std::vector<PublishedFile>& files) const;
    void removeAll() const; // FOLDER/NAME.part

private:
    const std::filesystem::path m_target;
    const std::filesystem::path m_growing;
    const std::filesystem::path m_ready;
    const std::filesystem::path m_lockFile;
    Descriptor m_lock;
};

} // namespace accrue
