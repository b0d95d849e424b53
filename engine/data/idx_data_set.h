// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/catalogue.h"
#include "engine/data/raw_data.h"

namespace accrue {

// Both throw DataError, as readIdxFile and where the files do not fit together: images and labels
// that differ in number, pictures of different sizes in the two splits, a label that is out of
// range (mnist and fashion-mnist have classes 0 to 9, idx as many as the training labels name),
// pixels that are all equal. `name` is one of these three, `files` is whole(). Block.

// `mean` and `stddev` are the published constants, of idx they are left empty.
RawData readIdxDataSet(DataName name, const DataFiles& files);
// Published files are not inflated: 50 ms, others 300 ms for as many pictures.
DataSummary checkIdxDataSet(DataName name, const DataFiles& files);

} // namespace accrue
