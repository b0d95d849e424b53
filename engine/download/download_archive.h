// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>

#include "engine/data/published_sets.h"

namespace accrue {

// Reads set.members from the .tar.gz `archive` and writes them, by their own names, into the folder
// `into`, which exists. Only what the set lists may be in the archive: its folder, each
// member once and with its published size, and spare members. Anything else (another name, a link,
// a device, another size, something behind the end, an end too early, damaged compression) throws
// Error, which names the archive, and a full disk DiskError; what was written by then
// is removed again. So a name in the archive never becomes a path, and no more is inflated than the
// set specifies. `unpacked` is called with the bytes written so far. Blocks: 2 s for CIFAR-10.
// False: stopped as requested, nothing is left.
bool unpackArchive(const PublishedSet& set, const std::filesystem::path& archive,
    const std::filesystem::path& into, const std::function<void(std::int64_t)>& unpacked,
    const std::stop_token& stop);

} // namespace accrue
