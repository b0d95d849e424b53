// SPDX-License-Identifier: Apache-2.0
#include "engine/data/catalogue.h"

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

RawData readDigits(const DataRequest& request)
{
    return request.pixels == Pixels::Store ? builtInDigits() : describedDigits();
}

DataSet publishedRow(DataName name, decltype(DataSet::read) read)
{
    const char* const word = dataSetInfo(name).word;
    const PublishedSet* published = findPublishedSet(word);
    return { name, word, published, published->title, layoutOf(*published), read };
}

} // namespace

// Readers do not depend on their rows, so a set with another name and other files can use an
// existing one.
const std::vector<DataSet>& dataSets()
{
    static const std::vector<DataSet> table {
        { DataName::Digits, "digits", nullptr, "digits", {}, readDigits },
        publishedRow(DataName::Mnist, readIdxDataSet),
        publishedRow(DataName::FashionMnist, readIdxDataSet),
        publishedRow(DataName::Cifar10, readCifarDataSet),
        publishedRow(DataName::Cifar100, readCifarDataSet),
        { DataName::Idx, "idx", nullptr, "IDX", idxLayout(), readIdxDataSet },
        { DataName::Images, "images", nullptr, "images", imageFolders(), readImageDataSet },
    };
    return table;
}

const DataSet& dataSet(DataName name)
{
    return dataSets().at(static_cast<std::size_t>(name));
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
