// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/data_files.h"
#include "engine/experiment/held_out.h"

namespace accrue {

// What is found where, and whether it is whole. Needs no engine.
struct DataSetStatus : DataSummary {
    enum class State { BuiltIn, Whole, Missing, Damaged };
    std::string name; // the value of data.name
    State state = State::Missing;
    std::filesystem::path folder; // where it was found; empty: built in or missing
    Message problem; // why it cannot be used and what to do; empty when it can
};

// What is there, before a recipe holds anything out of it.
DataParts partsOf(const DataSetStatus& status);

// The pictures that a network is given of that data set; empty: not known.
std::optional<PictureShape> shapeGiven(const DataSettings& data, const DataSetStatus& status);

// digits, mnist, fashion-mnist, cifar10 and cifar100, found or not, and idx and images where they
// are found, below `directories` (catalogue.h says where). Each file is read to its end, of images
// only the headers. Blocks: 50 ms for the published MNIST, 0.4 s for the
// published CIFAR-10, 0.3 s for other files as large, 5 µs a picture.
std::vector<DataSetStatus> findDataSets(const std::vector<std::filesystem::path>& directories);
// One data set as a recipe names it: data.name and data.path. Images are described in the size and
// the fit that `as` sets (data.image_size, data.fit).
DataSetStatus findDataSet(const std::string& name, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories, const DataSettings& as = {});

} // namespace accrue
