// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// The batch numbers solved: B samples an update = one window, cut into N slices of b samples, the
// last slice smaller where b does not divide. Has no unset state. W is 1 until several devices
// exist.
struct BatchPlan {
    enum class Solved { None, Effective, Micro, Steps, Devices };

    std::int64_t effective = 128; // B
    std::int64_t micro = 32; // b
    std::int64_t steps = 4; // N = ceil(B / W / b)
    std::int64_t devices = 1; // W
    Solved solved = Solved::Effective; // which of the four was computed from the others

    Reduction reduction = Reduction::Mean;
    Tail tail = Tail::Flush;
    // Of N; B and N above are those of its first entry. Empty: they stay.
    std::vector<StepsFrom> schedule {};

    // Smallest slice that the model's norm can take (models.h).
    std::int64_t smallestSlice = 1;

    friend bool operator==(const BatchPlan&, const BatchPlan&) = default;
};

struct BatchSolution {
    std::optional<BatchPlan> plan; // empty exactly when `findings` has an error
    Findings findings;
};

// Solves B = b·N·W; with batch.schedule for its first entry: b and N and W give B; B and b give N =
// ceil(B/W / b); B and N give b = ceil(B/W / N). Defaults yield to what is given. Given numbers
// agree when N = ceil(B/W / b). All errors are listed at once.
BatchSolution solveBatch(const Experiment& experiment);

// Whether b is to be the largest that fits memory.budget: batch.micro = auto, B and a budget given,
// N not. solveBatch does not know it and takes a default.
bool microFollowsBudget(const Experiment& experiment);
// Such an experiment with b solved and given: `largest` (≥ 1) is the largest that fits. N = ceil(B
// / largest), as few steps as can be, b = ceil(B / N), as even as they can be; B stays.
Experiment withMicroThatFits(Experiment experiment, std::int64_t largest);

// The plan with another b ≥ 1, and the N that follows for the same B.
BatchPlan cutInto(BatchPlan plan, std::int64_t micro);

// Slice sizes of a window of `samples` (≤ B): b, b, …, rest. Where the rest would be below
// `plan.smallestSlice`, the last two slices are shared evenly (33 at b 32: 17 + 16). They add up to
// `samples`.
std::vector<std::int64_t> sliceSizes(const BatchPlan& plan, std::int64_t samples);

// Why a slice of one sample may not be: the words of the findings about it.
inline constexpr const char* kWhyNotOne =
    "BatchNorm on vectors or on pictures of one pixel needs 2 "
    "samples or more in each micro-batch";

// Whether a window of `samples` can be cut so that no slice is below the smallest.
bool canBeCut(const BatchPlan& plan, std::int64_t samples);

} // namespace accrue
