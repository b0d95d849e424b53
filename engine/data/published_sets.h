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
    // Of the file as it is downloaded; empty: a member of an archive, which has its own.
    std::string sha256 {};
    // Of the bytes that a reader receives, unpacked: 64 digits of SHA-256 or 40 of SHA-1, whichever
    // public loaders contain; empty: nobody has published one.
    std::string content {};
};

std::int64_t bytesOf(const std::vector<PublishedFile>& files);

// Everything that is known about a published data set before its files are read: its content, how
// it is recognised and where it is downloaded from.
struct PublishedSet {
    std::string name {}; // the value of data.name, and the name of its folder: "cifar10"
    std::string title {}; // "CIFAR-10"
    std::vector<std::string> classNames {}; // as published, in the order of the labels
    // The size of its pictures, and the usual constants of normalisation (docs/recipes.md states
    // their source).
    PictureForm form {};
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::vector<PublishedFile> files {}; // each at MIRROR/name
    std::vector<PublishedFile> members {}; // extracted from files[0], a .tar.gz; empty: none
    std::size_t trainFiles = 0; // number of kept() for training, the others are for testing
    std::string archiveFolder {}; // the folder of its members in the archive
    std::vector<std::string> spare {}; // members that nobody reads, not extracted
    std::vector<std::string> folders {}; // other places where it may be (FileLayout::folders)
    Message content {}; // FileLayout::content
    std::vector<std::string> mirrors {}; // in order

    // The files in its folder.
    const std::vector<PublishedFile>& kept() const { return members.empty() ? files : members; }
};

// mnist, fashion-mnist, cifar10, cifar100.
const std::vector<PublishedSet>& publishedSets();
const PublishedSet* findPublishedSet(std::string_view name); // null: there is no such set
std::vector<std::string> namesOfPublishedSets(); // mnist, fashion-mnist, …

FileLayout layoutOf(const PublishedSet& set);
// The content of the published files.
DataSummary summaryOf(const PublishedSet& set);

// Whether `files`, which are whole(), are those of `set`; Unknown if that is null. Reads only as
// many files as necessary, small ones first. Blocks, 50 ms for MNIST, 0.4 s for CIFAR. Throws Error
// if one cannot be read.
Origin originOf(const PublishedSet* set, const DataFiles& files);

} // namespace accrue
