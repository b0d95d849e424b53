// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/raw_data.h"

namespace accrue {

// What was asked for cannot be fetched as asked: an unknown name, a wrong address, a file in the
// way. what() is a whole sentence; nothing was fetched.
class DownloadRefused : public DataError {
public:
    using DataError::DataError;
};

// A file as its authors published it.
struct PublishedFile {
    std::string name;
    std::int64_t bytes = 0;
    std::string sha256; // empty: a member of an archive that has one
};

// What is fetched for a data set, and what lies in its folder afterwards.
struct DownloadSet {
    std::string name; // as it is asked for, and the name of its folder: "cifar10"
    std::vector<PublishedFile> fetched; // each from MIRROR/name
    std::vector<PublishedFile> members; // to be taken out of the one fetched .tar.gz; empty: none
    std::string archiveFolder; // in which the archive holds them
    std::vector<std::string> spare; // members that nobody reads, left in the archive
    std::vector<std::string> mirrors; // in order

    const std::vector<PublishedFile>& kept() const { return members.empty() ? fetched : members; }
};

// mnist, fashion-mnist, cifar10, cifar100.
const std::vector<DownloadSet>& publishedSets();
// Throws DownloadRefused where there is no such set.
const DownloadSet& publishedSet(std::string_view name);

// Where `set` is fetched from: `given` where it is not empty, otherwise the user's list, otherwise
// the built-in one. Throws DownloadRefused for an address that is not http or https, and for a
// list of the user's that cannot be read.
std::vector<std::string> mirrorsOf(const DownloadSet& set, const std::vector<std::string>& given);

// The address as it may be shown and stored: without the user and password that it may hold.
std::string withoutUser(const std::string& url);

} // namespace accrue
