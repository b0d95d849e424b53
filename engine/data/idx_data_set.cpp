// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_data_set.h"

#include <algorithm>
#include <utility>

#include "engine/data/idx_file.h"

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

RawSplit readSplit(const std::vector<fs::path>& files)
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
    IdxArray imageArray = readIdxFile(images, kImageDimensions);
    // From what was read: another program may have replaced a file meanwhile.
    requireAsMany(files, imageArray.sizes[0], labelArray.sizes[0]);
    return { imageArray.sizes[0], 1, imageArray.sizes[1], imageArray.sizes[2],
        std::move(imageArray.values), std::move(labelArray.values) };
}

void checkLabels(
    const RawSplit& split, const fs::path& file, std::int64_t classes, const std::string& source)
{
    const auto beyond = std::find_if(split.labels.begin(), split.labels.end(),
        [classes](std::uint8_t label) { return label >= classes; });
    if (beyond != split.labels.end())
        throwWrongLabel(file, *beyond, beyond - split.labels.begin(), classes, source);
}

void requireOneSize(const RawData& data, const DataFiles& files)
{
    const RawSplit& train = data.train;
    const RawSplit& test = data.test;
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

RawData readIdxDataSet(const PublishedSet* published, const DataFiles& files, const DataSettings&,
    const std::optional<PictureForm>&)
{
    RawData data;
    data.train = readSplit(files.train);
    data.test = readSplit(files.test);
    data.source = files.train.front();
    requireOneSize(data, files);
    const auto& labels = data.train.labels;
    // Without published names, the largest label of the training split determines the number of
    // classes.
    data.classNames = published
        ? published->classNames
        : numberedClasses(*std::max_element(labels.begin(), labels.end()) + 1);
    const auto classes = static_cast<std::int64_t>(data.classNames.size());
    const std::string source =
        published ? published->title : files.train.back().filename().string();
    checkLabels(data.train, files.train.back(), classes, source);
    checkLabels(data.test, files.test.back(), classes, source);
    return data;
}

} // namespace accrue
