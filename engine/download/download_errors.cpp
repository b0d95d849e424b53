// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_errors.h"

#include "engine/base/file_messages.h"

#include <cerrno>

namespace accrue {

OutputFile growingFile(const std::filesystem::path& path)
{
    const auto fail = [path](WriteStep, int error) {
        if (error == ENOSPC || error == EDQUOT || error == EFBIG)
            throw DiskError(Message(
                "download.disk_full", { { "file", path }, { "reason", systemReason(error) } }));
        throw DiskError(Message(
            "download.file_unwritable", { { "file", path }, { "reason", systemReason(error) } }));
    };
    return OutputFile(path, fail, OutputFile::Existing::Extend);
}

} // namespace accrue
