// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/resolved.h"
#include "engine/insight/memory_fit.h"

#include <cstdint>
#include <optional>
#include <string>

namespace accrue {

// The speed of windows of one effective batch by their split, as far as it was measured
// (MemoryFit::speeds). Pure; any thread; needs no torch.

struct SplitSpeed {
    std::int64_t micro = 1; // b
    std::int64_t steps = 1; // N = ceil(B / W / b)
    double samplesPerSecond = 0; // without the update
    double spread = 0; // likewise, the spread of the micro-batches
    friend bool operator==(const SplitSpeed&, const SplitSpeed&) = default;
};

// The plan's B in micro-batches of `micro` samples: full ones as they were timed; the last one, if
// it is smaller, interpolated between its neighbours, but not shorter than the smallest that was
// timed. Empty: such micro-batches were not timed, or B cannot be split like that, or changes
// (batch.schedule).
std::optional<SplitSpeed> speedOfSplit(
    const MemoryFit& fit, const BatchPlan& plan, std::int64_t micro);

struct FastestSplit {
    SplitSpeed split;
    bool isTied = false; // others are as fast
    friend bool operator==(const FastestSplit&, const FastestSplit&) = default;
};

// The fastest split of the plan's B in micro-batches that were timed and fit `limitBytes`. Splits
// whose speeds differ by less than their variation count as equally fast. Among these it is the
// plan's own split, so that no change is suggested without a gain, otherwise the one that needs the
// least memory. Empty: none was timed.
std::optional<FastestSplit> fastestSplit(
    const MemoryFit& fit, const BatchPlan& plan, std::int64_t limitBytes);

// "b = 64 × N 2"
std::string describe(const SplitSpeed& split);
// The fastest split of the experiment's B that was timed and fits its limit, how certain that is,
// and how fast the experiment's own split is. Empty: none was timed.
Message fastestSentence(const MemoryFit& fit, const ResolvedExperiment& resolved);

} // namespace accrue
