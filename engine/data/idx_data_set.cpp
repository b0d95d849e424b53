// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_data_set.h"

#include <algorithm>
#include <utility>

#include "engine/data/idx_file.h"
#include "engine/data/pixel_normalization.h"
#include "engine/data/published_sets.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

void requireAsMany(const std::vector<fs::path>& files, std::int64_t images, std::int64_t labels)
{
    if (images != labels)
        throw Error(Message("data.idx_counts_differ",
            { { "images_file", files.at(0) }, { "images", images }, { "labels_file", files.at(1) },
                { "labels", labels } }));
}

// `onlyPixel`: all pixels are this one.
struct IdxSplit : RawSplit {
    std::optional<std::uint8_t> onlyPixel {};
};

IdxSplit readSplit(const std::vector<fs::path>& files, Pixels pixels)
{
    constexpr int kImageDimensions = 3;
    constexpr int kLabelDimensions = 1;
    // From the headers, so that a file of gigabytes that does not belong here is not inflated
    // first.
    requireAsMany(files, idxSizes(files.at(0), kImageDimensions)[0],
        idxSizes(files.at(1), kLabelDimensions)[0]);
    IdxArray labels = readIdxFile(files.at(1), kLabelDimensions);
    IdxArray images = readIdxFile(files.at(0), kImageDimensions, pixels);
    // From what was read: another program may have replaced a file meanwhile.
    requireAsMany(files, images.sizes[0], labels.sizes[0]);
    return { { images.sizes[0], 1, images.sizes[1], images.sizes[2], std::move(images.values),
                 std::move(labels.values) },
        images.onlyValue };
}

void checkLabels(
    const RawSplit& split, const fs::path& file, std::int64_t classes, const std::string& source)
{
    const auto beyond = std::find_if(split.labels.begin(), split.labels.end(),
        [classes](std::uint8_t label) { return label >= classes; });
    if (beyond != split.labels.end())
        throwWrongLabel(file, *beyond, beyond - split.labels.begin(), classes, source);
}

void requireOneSize(const RawSplit& train, const RawSplit& test, const DataFiles& files)
{
    if (train.height == test.height && train.width == test.width)
        return;
    throw Error(Message("data.idx_sizes_differ",
        { { "test_file", files.test.front() }, { "test_size", sizeText(test.height, test.width) },
            { "train_file", files.train.front() },
            { "train_size", sizeText(train.height, train.width) } }));
}

} // namespace

FileLayout idxLayout()
{
    // The same file names as MNIST, in other folders.
    FileLayout layout = layoutOf(*findPublishedSet("mnist"));
    layout.folders = { "idx", "" };
    layout.content = Message("data.files_of_idx");
    return layout;
}

RawData readIdxDataSet(const DataRequest& request)
{
    const PublishedSet* const published = request.published;
    const DataFiles& files = request.files;
    IdxSplit train = readSplit(files.train, request.pixels);
    IdxSplit test = readSplit(files.test, request.pixels);
    requireOneSize(train, test, files);
    RawData data;
    data.classNames = published
        ? published->classNames
        : numberedClasses(*std::max_element(train.labels.begin(), train.labels.end()) + 1);
    const auto classes = static_cast<std::int64_t>(data.classNames.size());
    const std::string source =
        published ? published->title : files.train.back().filename().string();
    checkLabels(train, files.train.back(), classes, source);
    checkLabels(test, files.test.back(), classes, source);
    // Loading would divide by the deviation of the pixels, which is 0 where all are equal.
    if (request.pixels == Pixels::Check && !published && train.onlyPixel)
        throwOnePixel(files.train.front(), *train.onlyPixel);
    data.train = std::move(train);
    data.test = std::move(test);
    data.source = files.train.front();
    return data;
}

} // namespace accrue
