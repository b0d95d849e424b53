// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/augmentation.h"
#include "engine/data/resident_data_set.h"
#include "engine/model/network.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace accrue {

struct Evaluation {
    double loss = 0; // mean over the samples, summed in double
    double accuracy = 0; // share 0..1
};

// The whole of `split`, test or validation, in forward passes of `batch` samples, in eval mode and
// without gradients; leaves the network in train mode. `goesOn` is asked before each pass and may
// pause the run there; where it says no, the evaluation is given up and there is no result. Blocks.
std::optional<Evaluation> evaluate(Network& network, const ResidentDataSet& data,
    const ResidentSplit& split, std::int64_t batch, const std::function<bool()>& goesOn);

// Replaces BatchNorm's running statistics by those of training micro-batches: the passes of the
// slices of `order` (int64 on the device), `micro` samples each, at most 200 of them, as precise BN
// proposes. Train mode, no gradients. `goesOn` as above; false: the statistics are as they were.
bool recomputeStatistics(Network& network, const ResidentDataSet& data,
    const Augmentation& augmentation, const at::Tensor& order, std::int64_t micro,
    const std::function<bool()>& goesOn);

} // namespace accrue
