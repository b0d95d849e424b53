// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/data_files.h"
#include "engine/data/raw_data.h"

namespace accrue {

// A file as its authors published it.
struct PublishedFile {
    std::string name;
    std::int64_t bytes = 0;
    // Of the file as it is downloaded; empty: a member of an archive that has one.
    std::string sha256 {};
    // Of the bytes that a reader sees, unpacked: 64 digits of SHA-256 or 40 of SHA-1, whichever
    // public loaders carry; empty: nobody has published one.
    std::string content {};
};

std::int64_t bytesOf(const std::vector<PublishedFile>& files);

// All that is known of a published data set before its files are read: what it holds, how it is
// recognised and where it is downloaded from.
struct PublishedSet {
    std::string name {}; // the value of data.name, and the name of its folder: "cifar10"
    std::string title {}; // "CIFAR-10"
    std::vector<std::string> classNames {}; // as published, in the order of the labels
    // The size of its pictures, and what the field normalises by (docs/recipes.md says from where).
    PictureForm form {};
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::vector<PublishedFile> files {}; // each at MIRROR/name
    std::vector<PublishedFile> members {}; // taken out of files[0], a .tar.gz; empty: none
    std::size_t trainFiles = 0; // so many of kept() are for training, the others for testing
    std::string archiveFolder {}; // in which the archive holds its members
    std::vector<std::string> spare {}; // members that nobody reads, left in the archive
    std::vector<std::string> folders {}; // where else it may lie (FileLayout::folders)
    Message content {}; // FileLayout::content
    std::vector<std::string> mirrors {}; // in order

    // What lies in its folder.
    const std::vector<PublishedFile>& kept() const { return members.empty() ? files : members; }
};

// mnist, fashion-mnist, cifar10, cifar100.
const std::vector<PublishedSet>& publishedSets();
const PublishedSet* findPublishedSet(std::string_view name); // null: there is no such set
std::vector<std::string> namesOfPublishedSets(); // mnist, fashion-mnist, …

FileLayout layoutOf(const PublishedSet& set);
// What the published files hold.
DataSummary summaryOf(const PublishedSet& set);

// Whether `files`, which are whole(), are those of `set`; Unknown where that is null. Reads no more
// files than the answer takes, small ones first. Blocks, 50 ms for MNIST, 0.4 s for CIFAR. Throws
// Error where one cannot be read.
Origin originOf(const PublishedSet* set, const DataFiles& files);

} // namespace accrue
