// SPDX-License-Identifier: Apache-2.0
#include "engine/data/cifar_data_set.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/data/idx_file.h"
#include "engine/data/input_file.h"
#include "engine/data/published_sets.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kSide = 32;
constexpr std::int64_t kChannels = 3;
constexpr std::int64_t kPixels = kChannels * kSide * kSide; // a picture
constexpr std::int64_t kRowsAtOnce = 256;

// What stands before the pixels of a row.
struct RowLabels {
    std::int64_t count = 1;
    std::vector<std::int64_t> classes; // of each label; the last one is the class

    std::int64_t rowBytes() const { return count + kPixels; }
};

RowLabels rowLabelsOf(DataName name)
{
    return name == DataName::Cifar10 ? RowLabels { 1, { 10 } } : RowLabels { 2, { 20, 100 } };
}

std::string bytesText(std::uint64_t bytes)
{
    return formatCount(static_cast<std::int64_t>(bytes)) + " bytes";
}

std::int64_t rowsOf(const fs::path& path, const RowLabels& labels)
{
    const std::uint64_t size = InputFile(path).size();
    const auto row = static_cast<std::uint64_t>(labels.rowBytes());
    if (size > kLargestDataFile)
        throw DataError(path.string() + " cannot be used: it has " + bytesText(size)
            + ", more than the largest allowed, "
            + formatBytes(static_cast<std::int64_t>(kLargestDataFile)) + ".");
    if (size == 0 || size % row != 0)
        throw DataError(path.string() + " does not consist of whole rows of " + bytesText(row)
            + ": it has " + bytesText(size)
            + (size == 0 ? ""
                         : ", " + bytesText(size % row) + " more than "
                        + formatCount(static_cast<std::int64_t>(size / row)) + " rows")
            + ". Get the file again.");
    return static_cast<std::int64_t>(size / row);
}

// Hands every row of a file to `take`, with its number from 0 on.
template <typename Take>
void forEachRow(const fs::path& path, std::int64_t rows, std::int64_t rowBytes, Take take)
{
    InputFile file(path);
    std::vector<std::uint8_t> chunk(static_cast<std::size_t>(kRowsAtOnce * rowBytes));
    for (std::int64_t first = 0; first < rows; first += kRowsAtOnce) {
        const std::int64_t count = std::min(kRowsAtOnce, rows - first);
        const auto wanted = static_cast<std::size_t>(count * rowBytes);
        if (file.read(chunk.data(), wanted) < wanted)
            throw DataError(path.string() + " became shorter while it was read. Get it again.");
        for (std::int64_t i = 0; i < count; ++i)
            take(first + i, chunk.data() + i * rowBytes);
    }
}

std::uint8_t labelOf(const std::uint8_t* row, const RowLabels& labels, std::int64_t number,
    const fs::path& file, std::string_view title)
{
    for (std::size_t i = 0; i < labels.classes.size(); ++i)
        if (row[i] >= labels.classes[i])
            throwWrongLabel(file, row[i], number, labels.classes[i], std::string(title) + " has");
    return row[labels.count - 1];
}

enum class Pixels { Keep, Check };

RawSplit readSplit(DataName name, const std::vector<fs::path>& files, Pixels pixels)
{
    const RowLabels labels = rowLabelsOf(name);
    RawSplit split;
    split.channels = kChannels;
    split.height = split.width = kSide;
    std::vector<std::int64_t> rows;
    rows.reserve(files.size());
    for (const fs::path& file : files) {
        rows.push_back(rowsOf(file, labels));
        split.samples += rows.back();
    }
    split.labels.reserve(static_cast<std::size_t>(split.samples));
    if (pixels == Pixels::Keep)
        split.images.reserve(static_cast<std::size_t>(split.samples * kPixels));
    for (std::size_t i = 0; i < files.size(); ++i)
        forEachRow(files[i], rows[i], labels.rowBytes(),
            [&](std::int64_t number, const std::uint8_t* row) {
                split.labels.push_back(
                    labelOf(row, labels, number, files[i], publishedSet(name)->title));
                const std::uint8_t* first = row + labels.count;
                if (pixels == Pixels::Keep)
                    split.images.insert(split.images.end(), first, first + kPixels);
            });
    return split;
}

std::string describe(const RawSplit& train, const RawSplit& test, Origin origin)
{
    return describe({ train.samples, test.samples, kChannels, kSide, kSide }, origin);
}

} // namespace

RawData readCifarDataSet(DataName name, const DataFiles& files)
{
    const PublishedSet& published = *publishedSet(name);
    RawData data;
    data.name = nameOf(name);
    data.train = readSplit(name, files.train, Pixels::Keep);
    data.test = readSplit(name, files.test, Pixels::Keep);
    data.description = std::string(published.title) + ", "
        + describe(data.train, data.test, originOf(name, files));
    data.classNames = published.classNames;
    data.mean = published.mean;
    data.stddev = published.stddev;
    return data;
}

DataSummary checkCifarDataSet(DataName name, const DataFiles& files)
{
    const Origin origin = originOf(name, files);
    RawSplit train;
    RawSplit test;
    if (origin == Origin::Published) {
        train.samples = publishedSet(name)->trainSamples;
        test.samples = publishedSet(name)->testSamples;
    } else {
        train = readSplit(name, files.train, Pixels::Check);
        test = readSplit(name, files.test, Pixels::Check);
    }
    const PublishedSet& set = *publishedSet(name);
    return { train.samples, test.samples, describe(train, test, origin),
        { set.channels, set.height, set.width, static_cast<std::int64_t>(set.classNames.size()) } };
}

} // namespace accrue
