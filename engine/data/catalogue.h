// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/data_files.h"
#include "engine/data/published_sets.h"
#include "engine/data/raw_data.h"
#include "engine/experiment/experiment.h"

namespace accrue {

// Everything that distinguishes one value of data.name from another. A new data set is a reader in
// a file of its own and a row of the table.
struct DataSet {
    DataName name;
    std::string word; // the value of data.name
    const PublishedSet* published = nullptr; // null: the files determine everything
    std::string title; // the beginning of descriptions: "MNIST"
    FileLayout layout {}; // where it is found
    // Blocks and throws Error. Reads samples, classes, source and, if the samples do not determine
    // it, the description without the title. With Pixels::Check it throws what storing and
    // normalising the pixels would, but stores none; of images only the headers are read, so that
    // neither damage beyond them nor too little memory is noticed.
    RawData (*read)(const DataRequest& request) = nullptr;
};

// The one table of all data sets, in the order of DataName, in which they are listed.
const std::vector<DataSet>& dataSets();
const DataSet& dataSet(DataName name);
const DataSet* dataSetNamed(std::string_view word); // null: data.name has no such value
// "digits, mnist, …": all there are.
Message allDataNames();

// The files of a data set (findFiles of data_files.h). Below each DIR of `directories` they may be
// in DIR/NAME, for cifar10 and cifar100 also in DIR/cifar-10 and DIR/cifar-100, then in DIR itself,
// except for fashion-mnist, whose files have MNIST's names, and for images (image_folders.h).
DataFiles findDataFiles(DataName name, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories);

} // namespace accrue
