// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "engine/data/catalogue.h"
#include "engine/data/raw_data.h"

namespace accrue {

// What four IDX files hold, without the pixels.
struct IdxSummary {
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::string description; // "60 000 train and 10 000 test, 28 × 28 grey, published files"
};

// Both throw DataError, as readIdxFile and where the files do not fit together: images and labels
// that differ in number, pictures of different sizes in the two splits, a label that is out of
// range (MNIST has classes 0 to 9, other files as many as the training labels name), pixels that
// are all equal. `files` is whole(). Block.

// Normalisation is .1307 and .3081 for mnist, measured on the training pixels for idx.
RawData readIdxDataSet(DataName name, const IdxFiles& files);
// Files with the digests of the published MNIST are not inflated: 50 ms, others 300 ms for as many.
IdxSummary checkIdxDataSet(DataName name, const IdxFiles& files);

} // namespace accrue
