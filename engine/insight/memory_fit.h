// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/insight/memory_law.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Which micro-batch of an experiment fits this device, found by computing real windows of it.

struct FitRequest {
    // As for a run, except that its batch numbers are the result: batch.micro is only one of the
    // sizes that are measured. With memory.budget, the largest that fits it is searched for.
    Experiment experiment;
    std::vector<std::filesystem::path> dataDirectories; // searched in order
    // Whether windows of more micro-batches are measured too (MemoryFit::steps).
    bool alsoSteps = false;
    // Whether micro-batches of the measured sizes are timed too (MemoryFit::speeds).
    bool alsoSpeeds = false;
};

// Reported before each window, on the thread that measures.
struct FitProgress {
    std::int64_t micro = 0; // samples of the window that is computed next
    std::int64_t steps = 1; // its micro-batches
    int windows = 0; // that were computed
    int ofWindows = 0; // in total, as far as is known: a proof may need more
    bool proving = false; // at the limit of the budget, otherwise for the model
    bool timing = false; // the speed of micro-batches of that size
    // Samples that were computed, and the total, likewise: they give the estimate of the time left.
    std::int64_t samples = 0;
    std::int64_t ofSamples = 0; // 0: unknown
};
// The completed share of the work, 0 to 1: by samples if those are known, otherwise by windows; 0
// if neither is.
double shareOf(const FitProgress& now);
// Time left, extrapolated from `seconds` of work; empty: nothing was done, or the total is unknown.
std::optional<double> secondsLeft(const FitProgress& now, double seconds);
using FitProgressSink = std::function<void(const FitProgress&)>;

// The largest micro-batch of which a real window was computed under the enforced budget; one more
// sample was out of memory, unless there are no more.
struct MemoryProof {
    std::int64_t budgetBytes = 0;
    std::int64_t micro = 0; // b
    std::int64_t peakBytes = 0; // of that window, as the model counts them
    bool isAll = false; // the whole training set
    friend bool operator==(const MemoryProof&, const MemoryProof&) = default;
};

// What a window of N micro-batches needed at its peak, as the model counts it.
struct StepsPoint {
    std::int64_t steps = 1; // N
    std::int64_t peakBytes = 0;
    friend bool operator==(const StepsPoint&, const StepsPoint&) = default;
};

// The speed of micro-batches of one size: data, forward and backward pass, without the update,
// which a window has once, however it is split.
struct MicroSpeed {
    std::int64_t micro = 0; // b
    double samplesPerSecond = 0; // median of several micro-batches
    double spread = 0; // samples per second: half the distance between their quartiles
    friend bool operator==(const MicroSpeed&, const MicroSpeed&) = default;
};

struct MemoryFit {
    // Why there is no memory model, or no micro-batch that fits the budget, which the model then
    // explains; empty: there is one.
    Message problem {};
    bool machine = false; // the problem is this machine's, such as too little memory
    bool stopped = false; // on request: nothing else is set
    MemoryLaw law {};
    std::optional<MemoryProof> proof {}; // with a budget
    // N = 1, 2, 4 … 32 with micro-batches of stepsMicro samples, if they were requested.
    std::vector<StepsPoint> steps {};
    std::int64_t stepsMicro = 0;
    // Ascending in b, if they were requested; timed with so many threads, those that a run would
    // choose (0: nothing was timed), and without a budget.
    std::vector<MicroSpeed> speeds {};
    int speedThreads = 0;
    std::int64_t gradientBytes = 0; // held from a window's first micro-batch to its update
    std::int64_t trainSamples = 0; // no micro-batch can be larger
    std::int64_t smallestMicro = 1; // nor smaller
    // The peak of a window of micro-batches of smallestMicro: few samples are computed in other
    // ways than those of the model's measurements. 0: not measured.
    std::int64_t leastBytes = 0;
    std::int64_t totalBytes = 0; // that the device has
    // On a CUDA card, what its context and other programs use in addition to what the model counts;
    // 0 on the CPU.
    std::int64_t outsideBytes = 0;
    std::string device {}; // "cpu", "cuda:0"
    std::string deviceName {};
    std::string torchVersion {};
    // The one in use, even if the recipe has auto.
    std::string memoryFormat {}; // "contiguous", "channels_last"
    int threads = 1;
    friend bool operator==(const MemoryFit&, const MemoryFit&) = default;
};

// The memory that a window of micro-batches of so many samples needs on the device at its peak, by
// the memory model; beyond the measured sizes (law.to) with a margin (marginText).
std::int64_t predictedBytes(const MemoryFit& fit, std::int64_t micro);

// The largest micro-batch that is predicted for a card, or a budget, of so many bytes, at least the
// smallest one if a window of it was seen to fit; 0: none fits.
std::int64_t largestMicro(const MemoryFit& fit, std::int64_t cardBytes);

// Whether a real window has shown what fits this budget.
bool isProvedFor(const MemoryFit& fit, std::int64_t budgetBytes);

// The largest micro-batch for a budget: the one that was proved for it, otherwise as predicted; 0:
// none fits.
std::int64_t fittingMicro(const MemoryFit& fit, std::int64_t budgetBytes);

// Whether micro-batches of so many samples, of which a window has no more than there are, fit such
// a budget.
bool fitsBudget(const MemoryFit& fit, std::int64_t micro, std::int64_t budgetBytes);

// Computed, not measured: the peak of one micro-batch of so many samples without accumulation. That
// is the model's prediction without the gradients, which then need not be held during the forward
// pass. The backward pass counts all of them, although they appear one by one: an upper bound. On
// CUDA, where reserved memory does not shrink within a window, it equals the prediction.
std::int64_t peakWithoutAccumulation(const MemoryFit& fit, std::int64_t samples);

// Names the budget, what a window needs at least, and what to do.
Message tooSmallBudget(const MemoryFit& fit, std::int64_t budgetBytes);
// For a budget that the host, which kills processes when memory runs out, does not have free.
Message busyHost(std::int64_t budgetBytes, std::int64_t freeBytes);
// For a budget that is more than the device has.
Message tooLargeBudget(
    std::int64_t budgetBytes, const std::string& device, std::int64_t totalBytes);

// The largest micro-batch that is of use: all B samples of the plan's window, or the training set
// if that is smaller. With batch.schedule, whose B changes, and without a plan, because the batch
// numbers cannot be solved, the training set.
std::int64_t usefulMicro(const MemoryFit& fit, const std::optional<BatchPlan>& plan);

// How many ranks share the memory of the model's device, of `ranks` on this machine; 0: all that
// the experiment has.
std::int64_t ranksSharing(
    const Experiment& experiment, const MemoryFit& fit, std::int64_t ranks = 0);
// What a rank may use: the experiment's budget, otherwise its share of what the device has.
std::int64_t limitBytes(const Experiment& experiment, const MemoryFit& fit, std::int64_t ranks = 0);

Message marginText(); // "a 2 % margin"
// From which micro-batch on predictedBytes includes the margin.
Message marginSentence(const MemoryFit& fit);
// For a model that equals its measurements.
Message exactModel(const MemoryLaw& law);

// For a table of cards: whose memory it was computed from, and what that leaves out.
Message sourceOfCards(const MemoryFit& fit);
// Instead of that table if each card fits every useful micro-batch. Empty: one does not.
Message everyCardFits(const MemoryFit& fit, const std::optional<BatchPlan>& plan);

// Cards as they are sold: 4, 6, 8, 12, 16 and 24 "GB", which are GiB.
const std::vector<std::int64_t>& cardSizes();

} // namespace accrue
