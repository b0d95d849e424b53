// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/error.h"
#include "engine/base/output_file.h"

#include <filesystem>

namespace accrue {

// A data set cannot be downloaded as requested: an unknown name, a wrong address, a file in the
// way. Nothing was downloaded.
class DownloadRefused : public Error {
public:
    using Error::Error;
};

// A file cannot be written. The message names it, the system's words ("No space left on device")
// and what to do. It is no fault of a server or an archive, so nothing is thrown away for it.
class DiskError : public Error {
public:
    using Error::Error;
};

// A file that is written from its end on, created where it is missing. Every failure throws
// DiskError.
OutputFile growingFile(const std::filesystem::path& path);

} // namespace accrue
