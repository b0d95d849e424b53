// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/download/download_file.h"

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
    double bytesPerSecond = 0; // over the last seconds
    std::optional<double> secondsLeft {}; // empty while nothing moves
};

// Both are called on the thread that downloads, which waits for them, and throw nothing.
struct DownloadWatcher {
    // At most five times a second and phase, and when the last byte is there.
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

struct DownloadRequest {
    std::string name; // of downloadableDataSets()
    std::filesystem::path folder; // the files come into folder/name; places.h: downloadDirectory()
    // http or https, tried in order, each file at MIRROR/FILE. Empty: the user's (mirrors.h), or
    // else the built-in ones.
    std::vector<std::string> mirrors;
};

struct DownloadResult {
    DownloadOutcome outcome = DownloadOutcome::Failed;
    std::filesystem::path folder; // folder/name
    Message message; // what was done, or why it was not
};

// The data sets that can be downloaded: mnist, fashion-mnist, cifar10, cifar100. Needs no network.
std::vector<std::string> downloadableDataSets();

// The bytes that are downloaded of one of them; empty: it is none of them.
std::optional<std::int64_t> downloadBytes(const std::string& name);

// Downloads what FOLDER/NAME lacks of a published data set, from the first mirror that has it: one
// is requested to continue as long as each request brings more; then the next one continues.
// Nothing is put into place before its size and SHA-256 are those of the published file; an archive
// is unpacked by the names and sizes of the set only. What is missing is listed under a lock, so
// that two processes never download the same. Nothing else in the program uses the network. Blocks
// for as long as the network takes: call it on a pool's thread. Several calls may run at once, for
// different sets. A stop takes effect within a second. Throws nothing. Needs a process that ignores
// SIGPIPE: loader.h, prepareProcessForEngine().
DownloadResult downloadDataSet(const DownloadRequest& request, const DownloadWatcher& watcher,
    const std::stop_token& stop = {});

// The same of any set, from these mirrors.
struct SetRequest {
    const PublishedSet& set;
    std::vector<std::string> mirrors;
    std::filesystem::path folder; // as in DownloadRequest
    DownloadWatcher watcher;
    std::stop_token stop {};
    DownloadPatience patience {};
};
// Returns Downloaded, AlreadyThere or Stopped. Throws DownloadRefused and Error (download_folder.h)
// in place of the other two.
DownloadOutcome downloadSet(const SetRequest& request);

} // namespace accrue
