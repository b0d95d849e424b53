// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/descriptor.h"
#include "engine/base/error.h"
#include "engine/base/output_file.h"
#include "engine/data/published_sets.h"

namespace accrue {

// A data set cannot be downloaded as requested: an unknown name, a wrong address, a file in the
// way. Nothing was downloaded.
struct DownloadRefused : Error {
    using Error::Error;
};

// A file cannot be written. The message names it, the system's words ("No space left on device")
// and what to do. It is no fault of a server or an archive, so nothing is thrown away for it.
struct DiskError : Error {
    using Error::Error;
};

// A file that is written from its end on, created where it is missing. Every failure throws
// DiskError.
OutputFile growingFile(const std::filesystem::path& path);

// Where a data set grows before it is whole: FOLDER/NAME.part, so that FOLDER/NAME only ever
// contains whole files. While the object lives, other processes that want the set are refused by
// the lock on FOLDER/NAME.part.lock, which the system releases however this process ends. One
// thread.
class DownloadFolder {
public:
    // Makes what is missing; the destructor removes what stayed empty. Throws DownloadRefused where
    // `folder` cannot be used, Error where another process holds the lock.
    DownloadFolder(const std::filesystem::path& folder, const std::string& name);
    ~DownloadFolder();

    const std::filesystem::path& target() const { return m_target; } // FOLDER/NAME
    const std::filesystem::path& growing() const { return m_growing; } // FOLDER/NAME.part

    // Moves these files of growing() into FOLDER/NAME, all at once where that is not there yet, and
    // deletes FOLDER/NAME.part. Throws Error.
    void install(const std::vector<PublishedFile>& files) const;
    void removeAll() const; // FOLDER/NAME.part

private:
    const std::filesystem::path m_target;
    const std::filesystem::path m_growing;
    const std::filesystem::path m_lockFile;
    const Descriptor m_lock;
};

} // namespace accrue
