// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/catalogue.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/models.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace accrue {

// What a data set's files hold, in host memory: pixels as stored (0..255), [samples, channels,
// height, width] row by row, and one label a sample.
struct RawSplit {
    std::int64_t samples = 0;
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> images; // samples · channels · height · width
    std::vector<std::uint8_t> labels; // samples; each an index of RawData::classNames

    std::int64_t pixels() const { return channels * height * width; } // a sample
};

// A data set that is whole: at least one sample in each split, equal picture sizes, every label in
// range, every stddev above 0.
struct RawData {
    std::string name; // the value of data.name
    std::string description; // "MNIST, 60 000 train and 10 000 test, 28 × 28 grey, published files"
    RawSplit train;
    RawSplit test;
    std::optional<RawSplit> validation; // taken out of train (hold_out.h), or a part of its own
    std::vector<std::string> classNames; // in the order of the labels
    // Of train before data.validation was held out of it, of test, and of a validation that is a
    // part of its own, otherwise empty (data_digest.h).
    std::string trainDigest;
    std::string testDigest;
    std::string validationDigest;
    // What pixels scaled to 0..1 are normalised by, a value a channel (pixel_normalization.h).
    std::vector<double> mean;
    std::vector<double> stddev;
};

// How a model was given its pictures in training.
struct PictureForm {
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<double> mean; // as in RawData
    std::vector<double> stddev;
};

// What the files of a data set hold, without the pixels.
struct DataSummary {
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::string description; // "60 000 train and 10 000 test, 28 × 28 grey, published files"
    PictureShape shape; // of images where data.image_size is auto
    std::vector<std::int64_t> untested {}; // as DataParts has them (held_out.h)
    std::string validationFolder {};
};

// A data set that cannot be used. what() is a whole sentence: which file, what was found, what to
// do.
class DataError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// `file` names `label` for a sample, but only `classes` are known; `whose` is "CIFAR-10 has".
[[noreturn]] void throwWrongLabel(const std::filesystem::path& file, std::uint8_t label,
    std::int64_t sample, std::int64_t classes, const std::string& whose);

// "0", "1" … for classes that have no other names.
std::vector<std::string> numberedClasses(std::int64_t count);

// Reads (or, for digits, draws) the data set that a recipe names, normalised as it asks: data.path
// where it is given, otherwise the first of `directories` that holds it (catalogue.h). Blocks, 0.1
// to 1 s for 60,000 pictures. Throws DataError; a file of any content can cost no more memory than
// its header promises, and no more than kLargestDataFile.
//
// `seed` draws what settings.test and settings.validation hold out; where that is anything, it must
// be given. With `form`, pictures are brought to its size and normalised by its constants, whatever
// the files and settings.imageSize and settings.normalize would give; DataError where that cannot
// be.
RawData loadRawData(const DataSettings& settings,
    const std::vector<std::filesystem::path>& directories, std::optional<std::uint64_t> seed = {},
    const std::optional<PictureForm>& form = {});
// Reads the files of a data set to their end, their pixels not kept; files with the digests of the
// published ones are hashed only. `files` is whole(). Blocks: 50 ms for the published MNIST, 0.4 s
// for the published CIFAR. Throws DataError as loading does.
DataSummary checkDataFiles(DataName name, const DataFiles& files, const DataSettings& as = {});

} // namespace accrue
