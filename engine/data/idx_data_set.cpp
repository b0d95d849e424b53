// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_data_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/data/idx_file.h"
#include "engine/data/published_sets.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void throwOnePixel(const fs::path& file, std::uint8_t pixel)
{
    throw DataError(file.string() + " cannot be normalised: all its pixels are "
        + std::to_string(pixel) + ". Get the file again.");
}

enum class Pixels { Keep, Check };

struct Split : RawSplit {
    std::optional<std::uint8_t> onlyPixel; // Pixels::Check: all of them are this one
};

void requireAsMany(const std::vector<fs::path>& files, std::int64_t images, std::int64_t labels)
{
    if (images != labels)
        throw DataError(files.at(0).string() + " holds " + formatCount(images) + " images, but "
            + files.at(1).string() + " holds " + formatCount(labels)
            + " labels: get the two files again, from one source.");
}

Split readSplit(const std::vector<fs::path>& files, Pixels pixels)
{
    const fs::path& images = files.at(0);
    const fs::path& labels = files.at(1);
    // Before anything is inflated.
    requireAsMany(
        files, idxSizes(images, /*dimensions=*/3)[0], idxSizes(labels, /*dimensions=*/1)[0]);
    IdxArray labelArray = readIdxFile(labels, /*dimensions=*/1);
    IdxArray imageArray;
    Split split;
    if (pixels == Pixels::Keep) {
        imageArray = readIdxFile(images, /*dimensions=*/3);
    } else {
        IdxCheck check = checkIdxFile(images, /*dimensions=*/3);
        imageArray.sizes = std::move(check.sizes);
        split.onlyPixel = check.onlyValue;
    }
    requireAsMany(files, imageArray.sizes[0], labelArray.sizes[0]); // of what was read
    split.samples = imageArray.sizes[0];
    split.channels = 1;
    split.height = imageArray.sizes[1];
    split.width = imageArray.sizes[2];
    split.images = std::move(imageArray.values);
    split.labels = std::move(labelArray.values);
    return split;
}

std::string pictureSize(const RawSplit& split)
{
    return std::to_string(split.height) + " × " + std::to_string(split.width);
}

void checkLabels(
    const RawSplit& split, const fs::path& file, std::int64_t classes, const std::string& whose)
{
    const auto beyond = std::find_if(split.labels.begin(), split.labels.end(),
        [classes](std::uint8_t label) { return label >= classes; });
    if (beyond != split.labels.end())
        throwWrongLabel(file, *beyond, beyond - split.labels.begin(), classes, whose);
}

struct Splits {
    Split train;
    Split test;
    std::vector<std::string> classNames;
};

Splits readSplits(DataName name, const DataFiles& files, Pixels pixels)
{
    Splits splits;
    splits.train = readSplit(files.train, pixels);
    splits.test = readSplit(files.test, pixels);
    if (splits.train.height != splits.test.height || splits.train.width != splits.test.width)
        throw DataError(files.test.front().string() + " holds pictures of "
            + pictureSize(splits.test) + ", but " + files.train.front().string() + " of "
            + pictureSize(splits.train) + ": the two must be equal.");
    const PublishedSet* published = publishedSet(name);
    const auto& labels = splits.train.labels;
    splits.classNames = published
        ? published->classNames
        : numberedClasses(*std::max_element(labels.begin(), labels.end()) + 1);
    const auto classes = static_cast<std::int64_t>(splits.classNames.size());
    const std::string whose =
        published ? std::string(published->title) + " has" : "the training labels name";
    checkLabels(splits.train, files.train.back(), classes, whose);
    checkLabels(splits.test, files.test.back(), classes, whose);
    return splits;
}

std::string describe(const Splits& splits, Origin origin)
{
    return describe(
        { splits.train.samples, splits.test.samples, 1, splits.train.height, splits.train.width },
        origin);
}

} // namespace

RawData readIdxDataSet(DataName name, const DataFiles& files)
{
    Splits splits = readSplits(name, files, Pixels::Keep);
    RawData data;
    data.name = nameOf(name);
    if (const PublishedSet* published = publishedSet(name)) {
        data.description =
            std::string(published->title) + ", " + describe(splits, originOf(name, files));
        data.mean = published->mean;
        data.stddev = published->stddev;
    } else {
        data.description = "IDX, " + describe(splits, Origin::Unknown);
    }
    data.classNames = std::move(splits.classNames);
    data.train = std::move(splits.train);
    data.test = std::move(splits.test);
    return data;
}

DataSummary checkIdxDataSet(DataName name, const DataFiles& files)
{
    const Origin origin = originOf(name, files);
    Splits splits;
    if (origin == Origin::Published) {
        const PublishedSet& published = *publishedSet(name);
        splits.train.samples = published.trainSamples;
        splits.test.samples = published.testSamples;
        splits.train.height = published.height;
        splits.train.width = published.width;
        splits.classNames = published.classNames;
    } else {
        splits = readSplits(name, files, Pixels::Check);
        if (name == DataName::Idx && splits.train.onlyPixel)
            throwOnePixel(files.train.front(), *splits.train.onlyPixel);
    }
    return { splits.train.samples, splits.test.samples, describe(splits, origin),
        { 1, splits.train.height, splits.train.width,
            static_cast<std::int64_t>(splits.classNames.size()) } };
}

} // namespace accrue
