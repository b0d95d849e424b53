// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/raw_data.h"

namespace accrue {

// For idx: the four files with MNIST's names in a folder of their own.
FileLayout idxLayout();

// As DataSet::read of mnist, fashion-mnist and idx. Throws Error as readIdxFile, and if the files
// do not fit together: images and labels that differ in number, pictures of different sizes in the
// two splits, a label that is out of range (published sets have the published classes, idx as many
// as the training labels name). 300 ms for MNIST.
RawData readIdxDataSet(const DataRequest& request);

} // namespace accrue
