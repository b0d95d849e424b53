// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>

#include "engine/data/download_sets.h"

namespace accrue {

// The most that a member that nobody reads may hold.
inline constexpr std::int64_t kLargestSpareMember = 64 * 1024;

// Takes set.members out of the .tar.gz `archive` and writes them, by their own names, into the
// folder `into`, which is there. Only what the set lists may stand in the archive: its folder, each
// member once and with its published size, and spare members. Anything else (another name, a link,
// a device, another size, something behind the end, an end too early, damaged compression) throws
// DataError, a sentence that names the archive, and a full disk DiskError; what was written by then
// is removed again. So a
// name in the archive never becomes a path, and no more is inflated than the set promises.
// `unpacked` is told the bytes written so far. Blocks: 2 s for CIFAR-10. False: stopped as asked,
// nothing is left.
bool unpackArchive(const DownloadSet& set, const std::filesystem::path& archive,
    const std::filesystem::path& into, const std::function<void(std::int64_t)>& unpacked,
    const std::stop_token& stop);

} // namespace accrue
