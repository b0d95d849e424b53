// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_data_set.h"

#include <algorithm>
#include <utility>

#include "engine/data/idx_file.h"
#include "engine/data/pixel_normalization.h"

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

enum class Pixels { Store, Check };

// `onlyPixel`: of Pixels::Check, where all pixels are this one.
struct IdxSplit : RawSplit {
    std::optional<std::uint8_t> onlyPixel {};
};

IdxSplit splitOf(IdxArray images)
{
    return { { images.sizes[0], 1, images.sizes[1], images.sizes[2], std::move(images.values) } };
}

IdxSplit splitOf(const IdxCheck& images)
{
    return { { images.sizes[0], 1, images.sizes[1], images.sizes[2] }, images.onlyValue };
}

IdxSplit readSplit(const std::vector<fs::path>& files, Pixels pixels)
{
    constexpr int kImageDimensions = 3;
    constexpr int kLabelDimensions = 1;
    const fs::path& images = files.at(0);
    const fs::path& labels = files.at(1);
    // From the headers, so that a file of gigabytes that does not belong here is not inflated
    // first.
    requireAsMany(
        files, idxSizes(images, kImageDimensions)[0], idxSizes(labels, kLabelDimensions)[0]);
    IdxArray labelArray = readIdxFile(labels, kLabelDimensions);
    IdxSplit split = pixels == Pixels::Store ? splitOf(readIdxFile(images, kImageDimensions))
                                             : splitOf(checkIdxFile(images, kImageDimensions));
    // From what was read: another program may have replaced a file meanwhile.
    requireAsMany(files, split.samples, labelArray.sizes[0]);
    split.labels = std::move(labelArray.values);
    return split;
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

struct IdxSplits {
    IdxSplit train;
    IdxSplit test;
    std::vector<std::string> classNames;
};

IdxSplits readSplits(const PublishedSet* published, const DataFiles& files, Pixels pixels)
{
    IdxSplits splits { readSplit(files.train, pixels), readSplit(files.test, pixels), {} };
    requireOneSize(splits.train, splits.test, files);
    const auto& labels = splits.train.labels;
    splits.classNames = published
        ? published->classNames
        : numberedClasses(*std::max_element(labels.begin(), labels.end()) + 1);
    const auto classes = static_cast<std::int64_t>(splits.classNames.size());
    const std::string source =
        published ? published->title : files.train.back().filename().string();
    checkLabels(splits.train, files.train.back(), classes, source);
    checkLabels(splits.test, files.test.back(), classes, source);
    return splits;
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

RawData readIdxDataSet(const PublishedSet* published, const DataFiles& files, const DataSettings&,
    const std::optional<PictureForm>&)
{
    IdxSplits splits = readSplits(published, files, Pixels::Store);
    RawData data;
    data.train = std::move(splits.train);
    data.test = std::move(splits.test);
    data.classNames = std::move(splits.classNames);
    data.source = files.train.front();
    return data;
}

DataSummary checkIdxDataSet(
    const PublishedSet* published, const DataFiles& files, const DataSettings&)
{
    const Origin origin = originOf(published, files);
    if (origin == Origin::Published)
        return summaryOf(*published);
    const IdxSplits splits = readSplits(published, files, Pixels::Check);
    // Loading would divide by the deviation of the pixels, which is 0 where all are equal.
    if (!published && splits.train.onlyPixel)
        throwOnePixel(files.train.front(), *splits.train.onlyPixel);
    return summaryOf(splits.train.samples, splits.test.samples,
        { 1, splits.train.height, splits.train.width,
            static_cast<std::int64_t>(splits.classNames.size()) },
        origin);
}

} // namespace accrue
