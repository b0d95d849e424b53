// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/download/download_client.h"

namespace accrue {

struct PublishedSet;

struct DownloadProgress {
    enum class Phase { Downloading, Checking, Unpacking };
    Phase phase = Phase::Downloading;
    std::string file {};
    // Of all files that are downloaded or, while an archive is unpacked, written; what an earlier
    // call brought is counted, too.
    std::int64_t bytes = 0;
    std::int64_t totalBytes = 0;
    // The door (data_download.h) measures these two.
    double bytesPerSecond = 0; // over the last seconds
    std::optional<double> secondsLeft {}; // empty while nothing moves
};

// Both are called on the thread that downloads, which waits for them, and throw nothing.
struct DownloadWatcher {
    std::function<void(const DownloadProgress&)> progress;
    std::function<void(const Message&)> reported; // which mirror failed and why
};

enum class DownloadOutcome {
    Downloaded, // all files are there, with the size and SHA-256 that were published
    AlreadyThere, // all were there already; no server was contacted
    Stopped, // as requested; what arrived is stored, and the next call continues from there
    Refused, // wrong input: no such set, a wrong address, another file in the way
    Failed, // no mirror has it, the disk is full, another process downloads it, no libcurl
};

// Downloads what FOLDER/NAME lacks of a published data set, from the first of `mirrors` that has
// it: a mirror whose connection ends too early is requested to continue as long as each request
// brings more, one that stalls once more; then the next mirror continues. Nothing is put into place
// before its size and SHA-256 are those of the published file; an archive is unpacked by the names
// and sizes of `set` only. What is missing is listed under a lock, so that two processes never
// download the same. Blocks. Returns Downloaded, AlreadyThere or Stopped. Throws DownloadRefused
// where FOLDER/NAME contains another file with a published name or FOLDER cannot be used, Error
// where no mirror has a file, the disk is full, or another process downloads the same.
DownloadOutcome downloadSet(const PublishedSet& set, const std::vector<std::string>& mirrors,
    const std::filesystem::path& folder, const DownloadWatcher& watcher,
    const std::stop_token& stop, const DownloadPatience& patience = {});

} // namespace accrue
