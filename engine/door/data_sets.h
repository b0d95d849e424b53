// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/data_files.h"
#include "engine/experiment/held_out.h"

namespace accrue {

// Where a data set was found and whether it is complete. Needs no engine.
struct DataSetStatus : DataSummary {
    enum class State { BuiltIn, Whole, Missing, Damaged };
    std::string name; // the value of data.name
    State state = State::Missing;
    std::filesystem::path folder; // where it was found; empty: built in or missing
    Message problem; // why it cannot be used and what to do; empty when it can
};

// The samples that are there, before a recipe holds any of them out.
DataParts partsOf(const DataSetStatus& status);

// The shape of the pictures that a network receives from that data set; empty: unknown.
std::optional<PictureShape> shapeGiven(const DataSettings& data, const DataSetStatus& status);

// digits, mnist, fashion-mnist, cifar10 and cifar100, found or not, and idx and images if they are
// found, below `directories` (for the places see catalogue.h). Reads each file to its end, of
// images only the headers. Blocks: 50 ms for the published MNIST, 0.4 s for the published CIFAR-10,
// 0.3 s for other files of that size, 5 µs per picture.
std::vector<DataSetStatus> findDataSets(const std::vector<std::filesystem::path>& directories);
// One data set as a recipe names it: data.name and data.path. Images are described in the size and
// the fit that `as` sets (data.image_size, data.fit).
DataSetStatus findDataSet(const std::string& name, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories, const DataSettings& as = {});

} // namespace accrue
