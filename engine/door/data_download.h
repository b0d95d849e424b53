// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace accrue {

// The data sets that can be fetched: mnist, fashion-mnist, cifar10, cifar100. Needs no engine and
// no network.
std::vector<std::string> downloadableDataSets();

// What has to be fetched for one of them, bytes; empty: it is none of them.
std::optional<std::int64_t> downloadBytes(const std::string& name);

struct DownloadRequest {
    std::string name; // of downloadableDataSets()
    std::filesystem::path folder; // the files come into folder/name; places.h: downloadDirectory()
    // http or https, tried in order, each file at MIRROR/FILE. Empty: the user's (mirrors.h) or,
    // where there are none, those that are built in.
    std::vector<std::string> mirrors;
};

struct DownloadProgress {
    enum class Phase { Fetching, Checking, Unpacking };
    Phase phase = Phase::Fetching;
    std::string file;
    std::int64_t bytes = 0; // of all files; what a call before brought is counted, too
    std::int64_t totalBytes = 0;
    double bytesPerSecond = 0; // over the last seconds
    std::optional<double> secondsLeft; // empty while nothing moves
};

// Both are called on the thread that fetches, hold it up as long as they take, and throw nothing.
struct DownloadWatcher {
    std::function<void(const DownloadProgress&)> progress; // at most five times a second and phase
    std::function<void(const std::string&)> said; // a sentence: which mirror failed and why
};

struct DownloadResult {
    enum class Outcome {
        Fetched, // all files are there, with the size and SHA-256 that were published
        AlreadyThere, // all were there already; the network was not asked
        Stopped, // what arrived is kept beside the folder; the next call goes on from there
        Refused, // wrong input: no such set, a wrong address, another file in the way
        Failed, // no mirror has it, the disk is full, another process fetches it, no libcurl
    };
    Outcome outcome = Outcome::Failed;
    std::filesystem::path folder; // folder/name
    std::string message; // a sentence
};

// Fetches a published data set: resumes what a call before began, checks size and SHA-256 before
// anything is put into place, and unpacks archives by known names and sizes only. Nothing else in
// the program goes to the network. Blocks for as long as the network takes: call it on a pool's
// thread. Several calls may run at once, for different sets. A stop takes effect within a second.
// Throws nothing. Needs a process that ignores SIGPIPE: loader.h,
// prepareProcessForEngine().
DownloadResult downloadDataSet(const DownloadRequest& request, const DownloadWatcher& watcher,
    const std::stop_token& stop = {});

} // namespace accrue
