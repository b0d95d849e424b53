// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_errors.h"

#include "engine/base/file_messages.h"

#include <cerrno>

namespace accrue {

OutputFile growingFile(const std::filesystem::path& path)
{
    const auto fail = [path](WriteStep, int error) {
        const bool isFull = error == ENOSPC || error == EDQUOT || error == EFBIG;
        throw DiskError(Message(isFull ? "download.disk_full" : "download.file_unwritable",
            { { "file", path }, { "reason", systemReason(error) } }));
    };
    return OutputFile(path, fail, OutputFile::Existing::Extend);
}

} // namespace accrue
