// SPDX-License-Identifier: Apache-2.0
#include "engine/data/catalogue.h"

#include <algorithm>

#include "engine/base/sentences.h"
#include "engine/data/cifar_data_set.h"
#include "engine/data/digits.h"
#include "engine/data/idx_data_set.h"
#include "engine/data/image_data_set.h"
#include "engine/data/image_folders.h"
#include "engine/experiment/registries.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

DataSet publishedRow(DataName name, decltype(DataSet::read) read, decltype(DataSet::check) check)
{
    const char* const word = dataSetInfo(name).word;
    const PublishedSet* published = findPublishedSet(word);
    return { name, word, published, published->title, layoutOf(*published), read, check };
}

} // namespace

// Readers do not depend on their rows, so a set with another name and other files can use an
// existing one.
const std::vector<DataSet>& dataSets()
{
    static const std::vector<DataSet> table {
        { DataName::Digits, "digits", nullptr, "digits", {},
            [](auto, const auto&...) { return builtInDigits(); },
            [](auto, const auto&...) { return digitsSummary(); } },
        publishedRow(DataName::Mnist, readIdxDataSet, checkIdxDataSet),
        publishedRow(DataName::FashionMnist, readIdxDataSet, checkIdxDataSet),
        publishedRow(DataName::Cifar10, readCifarDataSet, checkCifarDataSet),
        publishedRow(DataName::Cifar100, readCifarDataSet, checkCifarDataSet),
        { DataName::Idx, "idx", nullptr, "IDX", idxLayout(), readIdxDataSet, checkIdxDataSet },
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
