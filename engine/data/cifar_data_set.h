// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/catalogue.h"
#include "engine/data/raw_data.h"

namespace accrue {

// CIFAR's binary files: rows of 32 × 32 colour pictures, each 1024 red, 1024 green and 1024 blue
// bytes, after one label byte in cifar10 and two in cifar100, of which the second, the fine label,
// is the class. Any number of rows is taken; whether they are the published ones is said.
//
// Both throw DataError: not readable, empty, not whole rows, larger than kLargestDataFile
// (idx_file.h), a label out of range. `name` is Cifar10 or Cifar100, `files` is whole(). Block.

// `mean` and `stddev` are the published constants.
RawData readCifarDataSet(DataName name, const DataFiles& files); // 0.2 s, published files 0.6 s
DataSummary checkCifarDataSet(DataName name, const DataFiles& files); // 0.2 s, published 0.4 s

} // namespace accrue
