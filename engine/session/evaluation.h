// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/run_state.h"
#include "engine/events/events.h"
#include "engine/model/network.h"
#include "engine/session/epoch_order.h"
#include "engine/tensors/resident_data_set.h"
#include "engine/window/world.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace accrue {

struct Evaluation {
    double loss = 0; // mean over the samples, summed in double
    double accuracy = 0; // share 0..1
};

// Evaluates the whole of `split`, test or validation, in forward passes of `batch` samples, in eval
// mode and without gradients; leaves the network in train mode. Calls `mayContinue` before each
// pass, which may pause the run there; if it returns false, the evaluation is abandoned and there
// is no result. Blocks. The ranks of `world` share every pass, of `batch` samples on each, and all
// get the same result; `mayContinue` has to answer alike on all of them.
std::optional<Evaluation> evaluate(Network& network, const ResidentDataSet& data,
    const ResidentSplit& split, std::int64_t batch, const std::function<bool()>& mayContinue,
    World& world = World::alone());

// The event of such results at that place in a run, without the time that the evaluation took.
Evaluated evaluatedAt(
    const Position& at, const Evaluation& test, const std::optional<Evaluation>& validation);

// Replaces BatchNorm's running statistics by those of training micro-batches: the passes of the
// slices of `order`, with its augmentation, `micro` samples each, at most 200 of them, as precise
// BN proposes. Train mode, no gradients. `mayContinue` and `world` as above; all ranks compute the
// same passes. Returns false if it was abandoned;
// then the statistics are as they were.
bool recomputeStatistics(Network& network, const ResidentDataSet& data, const EpochOrder& order,
    std::int64_t micro, const std::function<bool()>& mayContinue, const World& world);

} // namespace accrue
