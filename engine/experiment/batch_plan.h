// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// The solved batch numbers: an update has B samples = one window, split into N slices, of which
// each of W devices computes b samples; the last slice is smaller if b·W does not divide B. Has no
// unset state.
struct BatchPlan {
    enum class Solved { None, Effective, Micro, Steps, Devices };

    std::int64_t effective = 128; // B
    std::int64_t micro = 32; // b
    std::int64_t steps = 4; // N = ceil(B / (b·W))
    std::int64_t devices = 1; // W
    Solved solved = Solved::Effective; // which of the four was computed from the others

    Reduction reduction = Reduction::Mean;
    Tail tail = Tail::Flush;
    // Of N; B and N above are those of its first entry. Empty: they are constant.
    std::vector<StepsFrom> schedule {};

    // Fewest samples of a micro-batch that the model's norm accepts (models.h): of each device's,
    // or with synchronised BatchNorm of what all compute side by side.
    std::int64_t smallestSlice = 1;
    bool synchronisesNorm = false;

    friend bool operator==(const BatchPlan&, const BatchPlan&) = default;
};

struct BatchSolution {
    std::optional<BatchPlan> plan; // empty exactly when `findings` has an error
    Findings findings;
};

std::int64_t ceilDivide(std::int64_t a, std::int64_t b); // both positive

// Solves B = b·N·W, where W is 1 unless it is given or "all" and known; with batch.schedule for its
// first entry: b, N and W give B; B, b and W give N = ceil(B / (b·W)); B, N and W give b = ceil(B /
// (N·W)); B, b and N give W = ceil(B / (b·N)) if W is auto. Given numbers override defaults. Given
// numbers agree if N = ceil(B / (b·W)). All errors are listed at once.
BatchSolution solveBatch(const Experiment& experiment);

// Whether b is the largest that fits memory.budget: batch.micro = auto, B and a budget given, N
// not. solveBatch does not know that size and uses the default.
bool microFollowsBudget(const Experiment& experiment);
// Such an experiment with b solved and given: `largest` (≥ 1) is the largest that fits. N = ceil(B
// / (largest·W)), the fewest steps, b = ceil(B / (N·W)), the most even split; B does not change.
Experiment withMicroThatFits(Experiment experiment, std::int64_t largest);

// The plan with another b ≥ 1, and the N that follows for the same B.
BatchPlan cutInto(BatchPlan plan, std::int64_t micro);

// A slice is what all W devices compute side by side: one micro-batch of each. Its most samples,
// b·W, and the fewest of which every device gets enough for the model's norm.
std::int64_t largestSlice(const BatchPlan& plan);
std::int64_t smallestSlice(const BatchPlan& plan);
// Slice sizes of a window of `samples` (≤ B): b·W, b·W, …, rest. If the rest would be below the
// smallest, the last two slices share their samples evenly (33 at b 32: 17 + 16). They add up to
// `samples`.
std::vector<std::int64_t> sliceSizes(const BatchPlan& plan, std::int64_t samples);

// `count` equal slices in a row: 25, 25, 25, 3 → 3 × 25, 1 × 3.
struct SliceGroup {
    std::int64_t count = 0;
    std::int64_t samples = 0; // of each
    friend bool operator==(const SliceGroup&, const SliceGroup&) = default;
};
std::vector<SliceGroup> groupsOf(const std::vector<std::int64_t>& slices);
// The slices of a whole window. Empty for an impossible plan, which a damaged log may contain.
std::vector<SliceGroup> groupsOf(const BatchPlan& plan);

// The largest N, and the samples of the largest window, that the plan has at any time.
std::int64_t mostSteps(const BatchPlan& plan);
std::int64_t largestWindow(const BatchPlan& plan);

// The factor by which the rate follows the accumulation steps N of a window: 1, N / N₀ or √(N /
// N₀), where N₀ are the steps that the run begins with.
double rateFactor(LrRule rule, std::int64_t steps, std::int64_t firstSteps);

// Why no slice may have one sample; a clause of findings about it.
Message whyNotOne();

// Whether a window of `samples` can be split so that no slice is below the smallest.
bool canBeCut(const BatchPlan& plan, std::int64_t samples);

} // namespace accrue
