// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/catalogue.h"
#include "engine/data/raw_data.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace accrue {

// Reads (or, for digits, draws) the data set that a recipe names, normalised as it asks: data.path
// where it is given, otherwise the first of `directories` that holds it (catalogue.h). Blocks, 0.1
// to 1 s for 60,000 pictures. Throws Error; a file of any content can cost no more memory than
// its header promises, and no more than kLargestDataFile.
//
// `seed` draws what settings.test and settings.validation hold out; where that is anything, it must
// be given. With `form`, pictures are brought to its size and normalised by its constants, whatever
// the files and settings.imageSize and settings.normalize would give; Error where that cannot
// be.
RawData loadRawData(const DataSettings& settings,
    const std::vector<std::filesystem::path>& directories, std::optional<std::uint64_t> seed = {},
    const std::optional<PictureForm>& form = {});
// What is in the files of a data set, which are read to their end, of images only the headers;
// files with the digests of the published ones are hashed and not read. Pixels are not stored, so
// that a list of data sets needs no memory for them. `files` is whole(), or
// empty for digits. Blocks: 50 ms for the published MNIST, 0.4 s for the published CIFAR. Throws
// Error as loading does.
DataSummary checkDataFiles(DataName name, const DataFiles& files, const DataSettings& as = {});

} // namespace accrue
