// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/data/raw_data.h"

namespace accrue {

// Where a data set grows before it is whole: FOLDER/NAME.part, so that FOLDER/NAME only ever holds
// whole files. While the object lives, other processes that want it are refused by the lock on
// FOLDER/NAME.part.lock, which the system frees at any kind of death. One thread.
class DownloadFolder {
public:
    // Makes what is missing; the destructor removes what stayed empty. Throws DownloadRefused where
    // `folder` cannot be made, DataError where another process holds the lock.
    DownloadFolder(const std::filesystem::path& folder, const std::string& name);
    ~DownloadFolder();
    DownloadFolder(const DownloadFolder&) = delete;
    DownloadFolder& operator=(const DownloadFolder&) = delete;

    // FOLDER/NAME.part, for what is still needed, and its `ready`, for what is to be installed.
    const std::filesystem::path& growing() const { return m_growing; }
    const std::filesystem::path& ready() const { return m_ready; }

    // Throws DataError where the disk has less room than that.
    void requireRoom(std::int64_t bytes) const;
    // Moves these files of ready() into FOLDER/NAME, all at once where that is not there yet, and
    // deletes FOLDER/NAME.part. Throws DataError.
    void install(const std::vector<std::string>& files) const;
    void removeAll() const; // FOLDER/NAME.part

private:
    void lock();
    void removeWhatIsEmpty() const;

    const std::filesystem::path m_folder;
    const std::filesystem::path m_target; // FOLDER/NAME
    const std::filesystem::path m_growing; // FOLDER/NAME.part
    const std::filesystem::path m_ready; // FOLDER/NAME.part/ready
    const std::filesystem::path m_lockFile;
    int m_lock = -1;
};

} // namespace accrue
