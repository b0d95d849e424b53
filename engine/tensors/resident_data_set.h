// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "engine/data/raw_data.h"

namespace accrue {

// One split on the device it is trained on, as stored: normalisation happens for each micro-batch
// (gather.h), so a resident pixel costs one byte.
struct ResidentSplit {
    at::Tensor images; // uint8 [samples, channels, height, width], contiguous
    at::Tensor labels; // int64 [samples]

    std::int64_t samples() const { return images.size(0); }
};

struct ResidentDataSet {
    ResidentSplit train;
    ResidentSplit test;
    std::optional<ResidentSplit> validation {}; // held out of train by the seed
    std::int64_t classes = 0;
    std::vector<double> mean; // one value per channel, as in RawData
    std::vector<double> stddev;
    Message description;
};

// Moves a data set to `device`; the raw bytes of a split are freed as soon as they are copied. The
// tensors come from the device's allocator, so a memory reporter of the calling thread sees them.
// Blocks, about 10 ms for MNIST; on return the copies are complete. Throws c10::Error if the device
// has no room.
ResidentDataSet makeResident(RawData&& data, at::Device device);

} // namespace accrue
