// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/error.h"
#include "engine/data/data_files.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

struct PublishedSet; // published_sets.h

// The content of a data set's files, in host memory: pixels as stored (0..255), [samples, channels,
// height, width] row by row, and one label per sample.
struct RawSplit {
    std::int64_t samples = 0;
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> images {}; // samples · channels · height · width
    std::vector<std::uint8_t> labels {}; // samples; each an index of RawData::classNames

    std::int64_t pixels() const { return channels * height * width; } // per sample
};

// A complete data set: at least one sample in each split, equal picture sizes, every label in
// range, every stddev above 0. If it was read with Pixels::Check (catalogue.h), the numbers of
// samples and the sizes are known, but images, labels and the normalization may be empty.
struct RawData {
    std::string name; // the value of data.name
    Message description; // "MNIST, 60 000 train and 10 000 test, 28 × 28 grey, published files"
    RawSplit train;
    RawSplit test;
    std::optional<RawSplit> validation; // taken out of train (hold_out.h), or a part of its own
    std::vector<std::string> classNames; // in the order of the labels
    // Of train before data.validation was held out of it, of test, and of a separate validation
    // part, otherwise empty (data_digest.h).
    std::string trainDigest;
    std::string testDigest;
    std::string validationDigest;
    // The normalisation of pixels scaled to 0..1, one value per channel (pixel_normalization.h).
    std::vector<double> mean;
    std::vector<double> stddev;
    std::filesystem::path source; // the name of the training pictures in messages: a file or folder
};

// The form of the pictures that a model receives.
struct PictureForm {
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<double> mean; // as in RawData
    std::vector<double> stddev;
};

// What the reader of a data set (catalogue.h) reads. The references are borrowed.
struct DataRequest {
    const PublishedSet* published = nullptr; // null: the files determine everything
    const DataFiles& files; // whole(), or without any if the data set needs none
    const DataSettings& settings;
    // Of the pictures of an existing model; readers that bring pictures to one size use it.
    std::optional<PictureForm> form {};
    Pixels pixels = Pixels::Store;
};

// Where the bytes of a data set come from.
enum class Origin {
    BuiltIn, // drawn by the program
    Published, // byte for byte
    Other, // at least one file is not the published one
    Unknown, // nobody has published digests of files in this form
};

// "28 × 28"
std::string sizeText(std::int64_t height, std::int64_t width);
// "28 × 28 grey"
Message pictureText(std::int64_t channels, std::int64_t height, std::int64_t width);
// "60 000 train and 10 000 test"
Message trainAndTest(std::int64_t trainSamples, std::int64_t testSamples);
DataSummary summaryOf(
    std::int64_t trainSamples, std::int64_t testSamples, const PictureShape& shape, Origin origin);
// Pixels and labels are not read.
DataSummary summaryOf(const RawData& data, Origin origin);

// `file` has `label` for a sample, but `source`, a data set or a file, has only `classes`.
[[noreturn]] void throwWrongLabel(const std::filesystem::path& file, std::uint8_t label,
    std::int64_t sample, std::int64_t classes, const std::string& source);

// "0", "1" … for classes that have no other names.
std::vector<std::string> numberedClasses(std::int64_t count);

// Removes the drawn samples from a split, with one flag per sample, and returns them. Both sides
// retain the stored order. A split without pixels only has labels.
RawSplit taken(RawSplit& from, const std::vector<bool>& drawn);

} // namespace accrue
