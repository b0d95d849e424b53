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

// Reads (or, for digits, draws) the data set that a recipe names, normalised as it requests: from
// data.path if it is given, otherwise from the first of `directories` that contains it
// (catalogue.h). Blocks, 0.1 to 1 s for 60,000 pictures. Throws Error; whatever a file contains, it
// costs no more memory than its header claims, and no more than kLargestDataFile.
//
// `seed` draws the samples that settings.test and settings.validation hold out; it must be given if
// they hold out any. With `form`, pictures are brought to its size and normalised by its constants,
// whatever the files and settings.imageSize and settings.normalize would give; Error if that is
// impossible.
RawData loadRawData(const DataSettings& settings,
    const std::vector<std::filesystem::path>& directories, std::optional<std::uint64_t> seed = {},
    const std::optional<PictureForm>& form = {});
// The content of a data set's files, which are read to their end, of images only the headers; files
// with the digests of the published ones are hashed and not read. Pixels are not stored, so that a
// list of data sets needs no memory for them. `files` is whole(), or empty for digits. Blocks: 50
// ms for the published MNIST, 0.4 s for the published CIFAR. Throws Error as loading does.
DataSummary checkDataFiles(DataName name, const DataFiles& files, const DataSettings& as = {});

} // namespace accrue
