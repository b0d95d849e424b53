// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/raw_data.h"

namespace accrue {

// CIFAR's binary files: rows of 32 × 32 colour pictures, each 1024 red, 1024 green and 1024 blue
// bytes, after one label byte in cifar10 and two in cifar100, of which the second, the fine label,
// is the class. Any number of rows is accepted; the description says whether the files are the
// published ones.
//
// As DataSet::read of cifar10 and cifar100. Throws Error: not readable, empty, not whole rows,
// larger than kLargestDataFile (idx_file.h), a label out of range. 0.2 s.
RawData readCifarDataSet(const DataRequest& request);

} // namespace accrue
