// SPDX-License-Identifier: Apache-2.0
#include "engine/data/cifar_data_set.h"

#include <algorithm>
#include <string>

#include "engine/base/input_file.h"
#include "engine/data/idx_file.h"
#include "engine/data/published_sets.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kSide = 32;
constexpr std::int64_t kChannels = 3;
constexpr std::int64_t kPixels = kChannels * kSide * kSide; // a picture
// One read of 786 KB instead of 256 small ones; a file is not read as a whole because the pixels
// are copied anyway.
constexpr std::int64_t kRowsAtOnce = 256;

// The number of classes of each label before the pixels of a row. The last label is the class.
using RowLabels = std::vector<std::int64_t>;

// CIFAR-100 has a coarse label of 20 superclasses before the fine one. Nobody trains on it, but in
// a damaged file it is wrong, too.
RowLabels rowLabelsOf(const PublishedSet& set)
{
    constexpr std::int64_t kCoarseClasses = 20; // cifar100 has them first
    const auto classes = static_cast<std::int64_t>(set.classNames.size());
    return set.name == "cifar10" ? RowLabels { classes } : RowLabels { kCoarseClasses, classes };
}

std::int64_t rowBytesOf(const RowLabels& labels)
{
    return static_cast<std::int64_t>(labels.size()) + kPixels;
}

std::int64_t rowsOf(const fs::path& path, const RowLabels& labels)
{
    const std::uint64_t size = InputFile(path).size();
    const auto row = static_cast<std::uint64_t>(rowBytesOf(labels));
    if (size == 0)
        throw Error(Message("data.cifar_empty", { { "file", path } }));
    if (size > kLargestDataFile)
        throw Error(Message("data.cifar_too_large",
            { { "file", path }, { "size", ByteCount { static_cast<std::int64_t>(size) } },
                { "limit", ByteCount { kLargestDataFile } } }));
    if (size % row != 0)
        throw Error(Message("data.cifar_partial_row",
            { { "file", path }, { "row", row }, { "size", size }, { "rest", size % row },
                { "rows", size / row } }));
    return static_cast<std::int64_t>(size / row);
}

// Calls `take` with every row of a file and its number, from 0.
template <typename Take>
void forEachRow(const fs::path& path, std::int64_t rows, std::int64_t rowBytes, Take take)
{
    InputFile file(path);
    std::vector<std::uint8_t> chunk(static_cast<std::size_t>(kRowsAtOnce * rowBytes));
    for (std::int64_t first = 0; first < rows; first += kRowsAtOnce) {
        const std::int64_t count = std::min(kRowsAtOnce, rows - first);
        const auto wanted = static_cast<std::size_t>(count * rowBytes);
        // The file may have become shorter since its size was read.
        if (file.read(chunk.data(), wanted) < wanted)
            throw Error(Message("data.cifar_shrank", { { "file", path } }));
        for (std::int64_t i = 0; i < count; ++i)
            take(first + i, chunk.data() + i * rowBytes);
    }
}

std::uint8_t labelOf(const std::uint8_t* row, const RowLabels& labels, std::int64_t number,
    const fs::path& file, const std::string& title)
{
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (row[i] >= labels[i])
            throwWrongLabel(file, row[i], number, labels[i], title);
    return row[labels.size() - 1];
}

RawSplit readSplit(const PublishedSet& set, const std::vector<fs::path>& files, Pixels pixels)
{
    const RowLabels labels = rowLabelsOf(set);
    RawSplit split { .channels = kChannels, .height = kSide, .width = kSide };
    // All sizes first, so that the memory is allocated once, in its final size.
    std::vector<std::int64_t> rows;
    rows.reserve(files.size());
    for (const fs::path& file : files) {
        rows.push_back(rowsOf(file, labels));
        split.samples += rows.back();
    }
    split.labels.reserve(static_cast<std::size_t>(split.samples));
    if (pixels == Pixels::Store)
        split.images.reserve(static_cast<std::size_t>(split.samples * kPixels));
    for (std::size_t i = 0; i < files.size(); ++i)
        forEachRow(files[i], rows[i], rowBytesOf(labels),
            [&](std::int64_t number, const std::uint8_t* row) {
                split.labels.push_back(labelOf(row, labels, number, files[i], set.title));
                const std::uint8_t* first = row + labels.size();
                if (pixels == Pixels::Store)
                    split.images.insert(split.images.end(), first, first + kPixels);
            });
    return split;
}

} // namespace

RawData readCifarDataSet(const DataRequest& request)
{
    RawData data;
    data.train = readSplit(*request.published, request.files.train, request.pixels);
    data.test = readSplit(*request.published, request.files.test, request.pixels);
    data.classNames = request.published->classNames;
    data.source = request.files.folder;
    return data;
}

} // namespace accrue
