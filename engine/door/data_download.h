// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/download/download.h"

namespace accrue {

// The data sets that can be downloaded: mnist, fashion-mnist, cifar10, cifar100. Needs neither the
// engine nor a network.
std::vector<std::string> downloadableDataSets();

// The bytes that are downloaded of one of them; empty: it is none of them.
std::optional<std::int64_t> downloadBytes(const std::string& name);

struct DownloadRequest {
    std::string name; // of downloadableDataSets()
    std::filesystem::path folder; // the files come into folder/name; places.h: downloadDirectory()
    // http or https, tried in order, each file at MIRROR/FILE. Empty: the user's (mirrors.h), or
    // else the built-in ones.
    std::vector<std::string> mirrors;
};

struct DownloadResult {
    using Outcome = DownloadOutcome;
    Outcome outcome = Outcome::Failed;
    std::filesystem::path folder; // folder/name
    Message message; // what was done, or why it was not
};

// Downloads a published data set (downloadSet of engine/download). watcher.progress is called at
// most five times a second and phase, with the rate. Nothing else in the program uses the network.
// Blocks for as long as the network takes: call it on a pool's thread. Several calls may run at
// once, for different sets. A stop takes effect within a second. Throws nothing. Needs a process
// that ignores SIGPIPE: loader.h, prepareProcessForEngine().
DownloadResult downloadDataSet(const DownloadRequest& request, const DownloadWatcher& watcher,
    const std::stop_token& stop = {});

} // namespace accrue
