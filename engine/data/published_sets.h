// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/catalogue.h"

namespace accrue {

// What is known of a data set before its files are read.
struct PublishedSet {
    std::string_view title; // "CIFAR-10"
    std::vector<std::string> classNames; // as published, in the order of the labels
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    // What the field normalises by, a value a channel; where from: docs/recipes.md.
    std::vector<double> mean;
    std::vector<double> stddev;
    // Of each file, unpacked, in the order of DataFiles, training files first: hexadecimal digests,
    // SHA-1 of 40 digits or SHA-256 of 64, that mark the published bytes; empty where nobody has
    // published one. Those of packed files: download_sets.h.
    std::vector<std::string_view> digests;
};

// Null: nothing of the kind is published, the files say all (idx, images).
const PublishedSet* publishedSet(DataName name);

enum class Origin {
    Published, // byte for byte
    Other, // at least one file is not the published one
    Unknown, // nobody has published digests of files in this form
};
// Reads no more files than it takes to tell, small ones first. Blocks, 50 ms for MNIST, 0.4 s for
// CIFAR. `files` is whole(). Throws DataError where one cannot be read.
Origin originOf(DataName name, const DataFiles& files);

// "60 000 train and 10 000 test, 28 × 28 grey, published files": of every description.
struct DataShape {
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
};
std::string describe(const DataShape& shape, Origin origin);

} // namespace accrue
