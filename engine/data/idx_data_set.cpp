// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_data_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/data/idx_file.h"
#include "engine/data/sha256.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMnistClasses = 10;

// SHA-256 of MNIST as published (.gz), and of what it inflates to.
struct PublishedDigests {
    std::string_view packed;
    std::string_view plain;
};
constexpr PublishedDigests kTrainImages {
    "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"
};
constexpr PublishedDigests kTrainLabels {
    "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"
};
constexpr PublishedDigests kTestImages {
    "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"
};
constexpr PublishedDigests kTestLabels {
    "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
    "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"
};

bool isPublished(const fs::path& file, const PublishedDigests& digests)
{
    const std::string digest = sha256OfFile(file);
    return digest == digests.packed || digest == digests.plain;
}

// The small files first: where they differ, the large ones need not be read.
bool arePublished(const IdxFiles& files)
{
    return isPublished(files.testLabels, kTestLabels)
        && isPublished(files.trainLabels, kTrainLabels)
        && isPublished(files.testImages, kTestImages)
        && isPublished(files.trainImages, kTrainImages);
}

[[noreturn]] void throwOnePixel(const fs::path& file, std::uint8_t pixel)
{
    throw DataError(file.string() + " cannot be normalised: all its pixels are "
        + std::to_string(pixel) + ". Get the file again.");
}

enum class Pixels { Keep, Check };

struct Split : RawSplit {
    std::optional<std::uint8_t> onlyPixel; // Pixels::Check: all of them are this one
};

Split readSplit(const fs::path& images, const fs::path& labels, Pixels pixels)
{
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
    if (imageArray.sizes[0] != labelArray.sizes[0])
        throw DataError(images.string() + " holds " + formatCount(imageArray.sizes[0])
            + " images, but " + labels.string() + " holds " + formatCount(labelArray.sizes[0])
            + " labels: get the two files again, from one source.");
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
        throw DataError(file.string() + " holds the label " + std::to_string(*beyond)
            + " at sample " + formatCount(beyond - split.labels.begin()) + ", but " + whose
            + " the classes 0 to " + std::to_string(classes - 1)
            + ". Is the file damaged, or does it belong to another data set?");
}

struct Splits {
    Split train;
    Split test;
    std::int64_t classes = 0;
};

Splits readSplits(DataName name, const IdxFiles& files, Pixels pixels)
{
    Splits splits;
    splits.train = readSplit(files.trainImages, files.trainLabels, pixels);
    splits.test = readSplit(files.testImages, files.testLabels, pixels);
    if (splits.train.height != splits.test.height || splits.train.width != splits.test.width)
        throw DataError(files.testImages.string() + " holds pictures of " + pictureSize(splits.test)
            + ", but " + files.trainImages.string() + " of " + pictureSize(splits.train)
            + ": the two must be equal.");
    const bool mnist = name == DataName::Mnist;
    const auto& labels = splits.train.labels;
    splits.classes = mnist ? kMnistClasses : *std::max_element(labels.begin(), labels.end()) + 1;
    const std::string whose = mnist ? "MNIST has" : "the training labels name";
    checkLabels(splits.train, files.trainLabels, splits.classes, whose);
    checkLabels(splits.test, files.testLabels, splits.classes, whose);
    return splits;
}

std::string describe(const Splits& splits, DataName name, bool published)
{
    std::string text = formatCount(splits.train.samples) + " train and "
        + formatCount(splits.test.samples) + " test, " + pictureSize(splits.train) + " grey";
    if (name == DataName::Mnist)
        text += published ? ", published files" : ", not the published files";
    return text;
}

// Exact, from the count of each pixel value.
std::pair<double, double> measuredMeanAndStddev(const RawSplit& split, const fs::path& file)
{
    std::array<std::int64_t, 256> seen {};
    for (const std::uint8_t pixel : split.images)
        ++seen[pixel];
    double sum = 0;
    double squares = 0;
    for (int value = 0; value < 256; ++value) {
        sum += value * static_cast<double>(seen.at(value));
        squares += value * value * static_cast<double>(seen.at(value));
    }
    const auto count = static_cast<double>(split.images.size());
    const double mean = sum / count;
    const double variance = squares / count - mean * mean;
    if (*std::max_element(seen.begin(), seen.end()) == static_cast<std::int64_t>(count))
        throwOnePixel(file, split.images.front());
    return { mean / 255, std::sqrt(variance) / 255 };
}

} // namespace

RawData readIdxDataSet(DataName name, const IdxFiles& files)
{
    Splits splits = readSplits(name, files, Pixels::Keep);
    RawData data;
    data.name = nameOf(name);
    const bool mnist = name == DataName::Mnist;
    data.description =
        (mnist ? "MNIST, " : "IDX, ") + describe(splits, name, mnist && arePublished(files));
    data.mean = { 0.1307 };
    data.stddev = { 0.3081 };
    if (!mnist) {
        const auto [mean, stddev] = measuredMeanAndStddev(splits.train, files.trainImages);
        data.mean = { mean };
        data.stddev = { stddev };
    }
    data.classes = splits.classes;
    data.train = std::move(splits.train);
    data.test = std::move(splits.test);
    return data;
}

IdxSummary checkIdxDataSet(DataName name, const IdxFiles& files)
{
    const bool published = name == DataName::Mnist && arePublished(files);
    Splits splits;
    if (published) {
        splits.train.samples = 60'000;
        splits.test.samples = 10'000;
        splits.train.height = splits.train.width = 28;
    } else {
        splits = readSplits(name, files, Pixels::Check);
        if (name == DataName::Idx && splits.train.onlyPixel)
            throwOnePixel(files.trainImages, *splits.train.onlyPixel);
    }
    return { splits.train.samples, splits.test.samples, describe(splits, name, published) };
}

} // namespace accrue
