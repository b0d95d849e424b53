// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

// The purpose of a block of the device's memory, in the order in which charts stack them.
enum class MemoryCategory : std::uint8_t {
    DataSet, // resident pictures and labels
    Parameters,
    Gradients, // of the window, and where they are scaled
    OptimizerState, // momentum, moments
    Average, // of the parameters: EMA
    Buffers, // running statistics, and the guard's copy of them
    Input, // the micro-batch as the model receives it
    Activations, // allocated in a forward pass and stored for its backward pass
    Workspace, // the rest: scratch of operators, figures, orders of samples
};
constexpr std::size_t kMemoryCategories = 9;

// Live bytes, indexed by MemoryCategory.
using CategoryBytes = std::array<std::int64_t, kMemoryCategories>;

// In the order of a window; each ends where the next begins.
enum class MemoryPhase : std::uint8_t { Data, Forward, Backward, Optimizer, Evaluation };

// The bytes under one name that are live at a peak.
struct MemoryOwner {
    MemoryCategory category = MemoryCategory::Workspace;
    std::string layer; // "layer1.0.conv1", "conv1.weight"; empty: no layer
    std::string operation; // "aten::conv2d", "ConvolutionBackward0"; empty: resident
    std::int64_t bytes = 0;
    friend bool operator==(const MemoryOwner&, const MemoryOwner&) = default;
};

struct LayerBytes {
    std::string layer; // empty: no layer
    std::int64_t bytes = 0;
    friend bool operator==(const LayerBytes&, const LayerBytes&) = default;
};

// One phase of one micro-batch, or of a window; bytes of the device's allocator.
struct PhaseMemory {
    MemoryPhase phase = MemoryPhase::Data;
    std::int64_t microBatch = 0; // 1-based in its window; 0: Optimizer and Evaluation
    std::int64_t samples = 0; // of the micro-batch; of the window for Optimizer
    std::int64_t beginBytes = 0; // live
    std::int64_t endBytes = 0; // live
    std::int64_t peakBytes = 0; // highest live
    CategoryBytes atPeak {}; // adds up to peakBytes
    CategoryBytes atEnd {}; // adds up to endBytes
    // CUDA; 0 on the CPU. Held by the allocator and free at the peak: reserved − allocated.
    std::int64_t cachedBytes = 0;
    // CUDA; 0 on the CPU. Used on the card by its context and by other processes when the window
    // ended.
    std::int64_t otherBytes = 0;
    // What is live at the peak, largest first, including every block of 1 % of the peak or more.
    // Empty if owners were not metered.
    std::vector<MemoryOwner> owners {};
    // Forward: the activations that it stores for the backward pass, by layer, the largest first;
    // they add up to those of atEnd. Empty if owners were not metered.
    std::vector<LayerBytes> kept {};
    friend bool operator==(const PhaseMemory&, const PhaseMemory&) = default;
};

// The memory of one window (its phases in order), or of one evaluation.
struct MemoryMeasured {
    std::int64_t step = 0; // that the window became; for an evaluation the one before it
    std::int64_t epoch = 0;
    double seconds = 0;
    // memory.metering = full: every phase of every micro-batch. window: of each phase the
    // micro-batch with the highest peak.
    std::vector<PhaseMemory> phases {};
    friend bool operator==(const MemoryMeasured&, const MemoryMeasured&) = default;
};

// "data set", "optimizer state".
const char* memoryCategoryName(MemoryCategory category);
// "data", "forward", "backward", "optimizer", "evaluation"; also the names in JSON and SQL.
const char* nameOf(MemoryPhase phase);

// The first phase with the highest peak, whichever it is; null if there are no phases.
const PhaseMemory* highestPeak(const MemoryMeasured& measured);

// The first forward pass that stores the most activations for its backward pass, by layer; null if
// none stores any, or if their layers were not metered.
const PhaseMemory* mostKept(const MemoryMeasured& measured);

} // namespace accrue
