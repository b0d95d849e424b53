// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/durable_file.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>

#include "engine/base/error.h"
#include "engine/base/file_messages.h"

namespace accrue {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error)
{
    throw Error(Message(
        "base.checkpoint_unwritable", { { "path", path }, { "reason", systemReason(error) } }));
}

} // namespace

OutputFile durableFile(const std::filesystem::path& file)
{
    return OutputFile(file, [file](WriteStep, int error) { fail(file, error); });
}

void syncFolder(const std::filesystem::path& folder)
{
    if (!trySyncFolder(folder))
        fail(folder, errno);
}

void replaceFolder(const std::filesystem::path& made, const std::filesystem::path& target)
{
    std::error_code unknown; // what cannot be examined cannot be replaced, which is reported
    if (!std::filesystem::exists(target, unknown)) {
        if (::rename(made.c_str(), target.c_str()) != 0)
            fail(target, errno);
    } else {
        // One step: if the old folder were removed first, a crash could leave no checkpoint at all.
        if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0)
            fail(target, errno);
        std::error_code ignored; // an old folder that stays costs space, not correctness
        std::filesystem::remove_all(made, ignored);
    }
    // The rename itself is durable only after this.
    syncFolder(target.parent_path());
}

} // namespace accrue
