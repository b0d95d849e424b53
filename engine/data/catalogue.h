// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/data_files.h"
#include "engine/data/published_sets.h"
#include "engine/data/raw_data.h"
#include "engine/experiment/experiment.h"

namespace accrue {

// All that tells one value of data.name from another. A new data set is a reader in a file of its
// own and a row of the table.
struct DataSet {
    DataName name;
    std::string word; // the value of data.name
    const PublishedSet* published = nullptr; // null: the files say all
    std::string title; // with which descriptions begin: "MNIST"
    FileLayout layout {}; // where it is found
    // Both block and throw Error. `files` is whole(), or empty where the layout needs none.
    // Reads samples, classes, source and, where it is not what the samples are, the description
    // without the title. `form`, where it is given, is how a model was given its pictures; readers
    // that bring pictures to one size heed it.
    RawData (*read)(const PublishedSet* published, const DataFiles& files,
        const DataSettings& settings, const std::optional<PictureForm>& form) = nullptr;
    // The same without its pixels, where there is a faster way than reading all of them.
    DataSummary (*check)(const DataFiles& files, const DataSettings& settings) = nullptr;
};

// The one table of all data sets, in the order in which they are listed.
const std::vector<DataSet>& dataSets();
const DataSet& dataSet(DataName name);
const DataSet* dataSetNamed(std::string_view word); // null: data.name has no such value
// "digits, mnist, …": all there are.
Message allDataNames();

// The files of a data set (findFiles of data_files.h). Below each DIR of `directories` they may lie
// in DIR/NAME, for cifar10 and cifar100 also in DIR/cifar-10 and DIR/cifar-100, then in DIR itself,
// which is never asked for fashion-mnist, whose files have MNIST's names, nor for images
// (image_folders.h).
DataFiles findDataFiles(DataName name, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories);

} // namespace accrue
