// SPDX-License-Identifier: Apache-2.0
#include "engine/data/catalogue.h"

#include <algorithm>

#include "engine/base/sentences.h"
#include "engine/data/cifar_data_set.h"
#include "engine/data/digits.h"
#include "engine/data/idx_data_set.h"
#include "engine/data/image_data_set.h"
#include "engine/data/image_folders.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

DataSet publishedRow(DataName name, const char* word, decltype(DataSet::read) read)
{
    const PublishedSet* published = findPublishedSet(word);
    return { name, word, published, published->title, layoutOf(*published), read };
}

} // namespace

// Readers know nothing of their rows, so that a set of another name and other files can have one
// of those that are there.
const std::vector<DataSet>& dataSets()
{
    static const std::vector<DataSet> table {
        { DataName::Digits, "digits", nullptr, "digits", {},
            [](auto, const auto&...) { return builtInDigits(); },
            [](const auto&...) { return digitsSummary(); } },
        publishedRow(DataName::Mnist, "mnist", readIdxDataSet),
        publishedRow(DataName::FashionMnist, "fashion-mnist", readIdxDataSet),
        publishedRow(DataName::Cifar10, "cifar10", readCifarDataSet),
        publishedRow(DataName::Cifar100, "cifar100", readCifarDataSet),
        { DataName::Idx, "idx", nullptr, "IDX", idxLayout(), readIdxDataSet },
        { DataName::Images, "images", nullptr, "images", imageFolders(), readImageDataSet,
            checkImageDataSet },
    };
    return table;
}

const DataSet& dataSet(DataName name)
{
    return *std::find_if(dataSets().begin(), dataSets().end(),
        [name](const DataSet& set) { return set.name == name; });
}

const DataSet* dataSetNamed(std::string_view word)
{
    for (const DataSet& set : dataSets())
        if (set.word == word)
            return &set;
    return nullptr;
}

Message allDataNames()
{
    std::vector<std::string> words;
    for (const DataSet& set : dataSets())
        words.push_back(set.word);
    return commaList(words);
}

DataFiles findDataFiles(
    DataName name, const fs::path& path, const std::vector<fs::path>& directories)
{
    return findFiles(dataSet(name).layout, path, directories);
}

} // namespace accrue
