// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/data/download_client.h"
#include "engine/data/download_sets.h"

namespace accrue {

struct FetchProgress {
    enum class Phase { Fetching, Checking, Unpacking };
    Phase phase = Phase::Fetching;
    std::string file;
    std::int64_t bytes = 0; // of all that is fetched or, while it is unpacked, written
    std::int64_t totalBytes = 0;
};

// Both are called on the fetching thread and may take no long time.
struct FetchWatcher {
    std::function<void(const FetchProgress&)> progress; // often
    std::function<void(const std::string&)> said; // a sentence: what was tried in vain
};

enum class FetchEnd {
    Fetched, // all of it is there, and is what was published
    AlreadyThere, // nothing was fetched
    Stopped, // as asked; what arrived is kept, the next call goes on from there
};

// Fetches what FOLDER/NAME lacks of a published data set, from the first of `mirrors` that has it:
// a mirror that breaks off is asked again from where it stopped as long as that brings something,
// one that stalls once more; then the next one goes on from there. Nothing is put into place before
// its size and SHA-256 are those of the published file; an archive is unpacked by the names and
// sizes of `set` only. Blocks. Throws DownloadRefused where FOLDER/NAME holds another file under a
// published name or FOLDER cannot be used, DataError where no mirror has a file, the disk is full,
// or another process fetches the same.
FetchEnd fetchPublishedSet(const DownloadSet& set, const std::vector<std::string>& mirrors,
    const std::filesystem::path& folder, const FetchWatcher& watcher, const std::stop_token& stop,
    const DownloadPatience& patience = {});

} // namespace accrue
