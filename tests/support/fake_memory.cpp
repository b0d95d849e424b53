// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_memory.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace accrue {

namespace {

constexpr std::int64_t kBytesOfFloat = 4;
constexpr std::int64_t kPicture = 28 * 28;
constexpr std::int64_t kLabel = 8;
constexpr std::int64_t kScratch = 512 * 1024; // of an operator, whatever b is

struct Tensor {
    const char* name;
    std::int64_t scalars;
};
constexpr std::array kParameters { Tensor { "conv1.weight", 150 }, Tensor { "conv1.bias", 6 },
    Tensor { "conv2.weight", 2400 }, Tensor { "conv2.bias", 16 }, Tensor { "fc1.weight", 48000 },
    Tensor { "fc1.bias", 120 }, Tensor { "fc2.weight", 10080 }, Tensor { "fc2.bias", 84 },
    Tensor { "fc3.weight", 840 }, Tensor { "fc3.bias", 10 } };

// Bytes a sample that its backward pass needs; max-pool keeps its values and their places.
struct Kept {
    const char* layer;
    const char* operation;
    std::int64_t bytes;
};
constexpr std::array kKept { Kept { "conv1", "aten::conv2d", 18816 },
    Kept { "conv1", "aten::relu", 18816 }, Kept { "conv1", "aten::max_pool2d", 14112 },
    Kept { "conv2", "aten::conv2d", 6400 }, Kept { "conv2", "aten::relu", 6400 },
    Kept { "conv2", "aten::max_pool2d", 4800 }, Kept { "fc1", "aten::linear", 480 },
    Kept { "fc1", "aten::relu", 480 }, Kept { "fc2", "aten::linear", 336 },
    Kept { "fc2", "aten::relu", 336 }, Kept { "fc3", "aten::linear", 80 } };
constexpr std::int64_t kLargestMap = 18816; // bytes a sample: what backward works on at its peak

std::int64_t& of(CategoryBytes& bytes, MemoryCategory category)
{
    return bytes.at(static_cast<std::size_t>(category));
}

std::int64_t sum(const CategoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t { 0 });
}

std::int64_t keptBytes(std::int64_t samples)
{
    std::int64_t bytes = 0;
    for (const Kept& kept : kKept)
        bytes += kept.bytes * samples;
    return bytes;
}

std::vector<LayerBytes> keptByLayer(std::int64_t samples)
{
    std::vector<LayerBytes> layers;
    for (const Kept& kept : kKept) {
        if (layers.empty() || layers.back().layer != kept.layer)
            layers.push_back({ kept.layer, 0 });
        layers.back().bytes += kept.bytes * samples;
    }
    return layers;
}

// What is there between two phases; the buffer of the input is allocated once.
CategoryBytes resident(std::int64_t samples, std::int64_t largestSlice)
{
    std::int64_t scalars = 0;
    for (const Tensor& tensor : kParameters)
        scalars += tensor.scalars;
    CategoryBytes bytes {};
    of(bytes, MemoryCategory::DataSet) = samples * (kPicture + kLabel);
    of(bytes, MemoryCategory::Parameters) = scalars * kBytesOfFloat;
    of(bytes, MemoryCategory::Gradients) = scalars * kBytesOfFloat;
    of(bytes, MemoryCategory::OptimizerState) = scalars * kBytesOfFloat;
    of(bytes, MemoryCategory::Input) = largestSlice * (kPicture * kBytesOfFloat + kLabel);
    return bytes;
}

void addParameters(std::vector<MemoryOwner>& owners, MemoryCategory category)
{
    for (const Tensor& tensor : kParameters)
        owners.push_back({ category, tensor.name, "", tensor.scalars * kBytesOfFloat });
}

void addActivations(std::vector<MemoryOwner>& owners, std::int64_t activationBytes)
{
    const std::int64_t samples = activationBytes / keptBytes(1);
    for (const Kept& kept : kKept)
        owners.push_back(
            { MemoryCategory::Activations, kept.layer, kept.operation, kept.bytes * samples });
}

std::vector<MemoryOwner> ownersOf(const PhaseMemory& phase, const char* operation)
{
    CategoryBytes peak = phase.atPeak;
    std::vector<MemoryOwner> owners { { MemoryCategory::DataSet, "", "",
                                          of(peak, MemoryCategory::DataSet) },
        { MemoryCategory::Input, "", "", of(peak, MemoryCategory::Input) },
        { MemoryCategory::Workspace, "conv1", operation, of(peak, MemoryCategory::Workspace) } };
    addParameters(owners, MemoryCategory::Parameters);
    addParameters(owners, MemoryCategory::Gradients);
    addParameters(owners, MemoryCategory::OptimizerState);
    addActivations(owners, of(peak, MemoryCategory::Activations));
    std::erase_if(
        owners, [&](const MemoryOwner& owner) { return owner.bytes * 100 < phase.peakBytes; });
    std::stable_sort(owners.begin(), owners.end(),
        [](const MemoryOwner& a, const MemoryOwner& b) { return a.bytes > b.bytes; });
    return owners;
}

// From `begin` to `end`, with `workspace` beside the larger of the two at its peak.
PhaseMemory phaseOf(MemoryPhase phase, const CategoryBytes& begin, const CategoryBytes& end,
    std::int64_t workspace, const char* operation)
{
    PhaseMemory memory { .phase = phase, .beginBytes = sum(begin), .endBytes = sum(end) };
    memory.atEnd = end;
    memory.atPeak = sum(begin) > sum(end) ? begin : end;
    of(memory.atPeak, MemoryCategory::Workspace) += workspace;
    memory.peakBytes = sum(memory.atPeak);
    memory.owners = ownersOf(memory, operation);
    return memory;
}

std::vector<PhaseMemory> microBatch(
    const CategoryBytes& base, std::int64_t number, std::int64_t samples)
{
    CategoryBytes kept = base;
    of(kept, MemoryCategory::Activations) = keptBytes(samples);
    std::vector<PhaseMemory> phases { phaseOf(MemoryPhase::Data, base, base, samples * kLabel,
                                          "aten::index_select"),
        phaseOf(MemoryPhase::Forward, base, kept, kScratch + samples * 1024, "aten::conv2d"),
        phaseOf(MemoryPhase::Backward, kept, base, kScratch + samples * kLargestMap,
            "ConvolutionBackward0") };
    phases[1].kept = keptByLayer(samples);
    for (PhaseMemory& phase : phases) {
        phase.microBatch = number;
        phase.samples = samples;
    }
    return phases;
}

} // namespace

std::vector<PhaseMemory> fakeWindowMemory(
    const std::vector<std::int64_t>& slices, std::int64_t residentSamples, bool everyMicroBatch)
{
    if (slices.empty())
        return {};
    const auto largest = std::max_element(slices.begin(), slices.end());
    const CategoryBytes base = resident(residentSamples, *largest);
    std::vector<PhaseMemory> phases;
    for (auto slice = slices.begin(); slice != slices.end(); ++slice) {
        if (!everyMicroBatch && slice != largest)
            continue;
        const std::vector<PhaseMemory> each = microBatch(base, slice - slices.begin() + 1, *slice);
        phases.insert(phases.end(), each.begin(), each.end());
    }
    PhaseMemory step = phaseOf(MemoryPhase::Optimizer, base, base, 4096, "aten::_foreach_norm");
    step.samples = std::accumulate(slices.begin(), slices.end(), std::int64_t { 0 });
    phases.push_back(step);
    return phases;
}

PhaseMemory fakeEvaluationMemory(std::int64_t samples, std::int64_t residentSamples)
{
    const CategoryBytes base = resident(residentSamples, samples);
    PhaseMemory evaluation = phaseOf(
        MemoryPhase::Evaluation, base, base, kScratch + 2 * samples * kLargestMap, "aten::conv2d");
    evaluation.samples = samples;
    return evaluation;
}

} // namespace accrue
