// SPDX-License-Identifier: Apache-2.0
#include "engine/session/single_window.h"

#include <algorithm>
#include <exception>
#include <numeric>

#include <torch/utils.h>

#include "engine/accelerator/numerics.h"
#include "engine/session/model_setup.h"
#include "engine/window/training_window.h"

namespace accrue {
namespace {

// In double, so that the difference of two float32 models is exact.
at::Tensor flatParameters(const Network& network)
{
    const torch::NoGradGuard noGrad;
    std::vector<at::Tensor> parts;
    for (const at::Tensor& parameter : network.parameters())
        parts.push_back(parameter.flatten().to(at::kCPU, at::kDouble));
    return at::cat(parts);
}

// Made in memory: the warm-up must not wait for a file, and a loaded data set would take longer
// than the operators.
ResidentDataSet blankPictures()
{
    constexpr std::int64_t kPictures = 32;
    const auto bytes = at::TensorOptions().dtype(at::kByte);
    const ResidentSplit split { at::zeros({ kPictures, 1, 28, 28 }, bytes),
        at::zeros({ kPictures }, bytes.dtype(at::kLong)) };
    return { .train = split,
        .test = split,
        .classes = 10,
        .mean = { 0.0 },
        .stddev = { 1.0 },
        .description = {} };
}

} // namespace

std::vector<Slice> windowOf(const std::vector<std::int64_t>& sizes)
{
    const auto samples = std::accumulate(sizes.begin(), sizes.end(), std::int64_t { 0 });
    std::vector<Slice> window;
    std::int64_t begin = 0;
    for (const std::int64_t size : sizes) {
        window.push_back(
            { .begin = begin, .samples = size, .weight = 1.0 / static_cast<double>(samples) });
        begin += size;
    }
    return window;
}

// Builds the network again for each call: an update changes it, and a comparison needs both sides
// to begin with the same parameters, which the seed ensures.
at::Tensor updateFrom(
    const Experiment& experiment, const ResidentDataSet& data, const std::vector<Slice>& window)
{
    setNumerics(experiment.run);
    const at::Tensor order = at::arange(data.train.samples(), data.train.labels.options());
    const auto network = makeNetwork(experiment, data);
    const at::Tensor before = flatParameters(*network);
    RunControl control;
    const auto largest = std::max_element(window.begin(), window.end(),
        [](const Slice& one, const Slice& other) { return one.samples < other.samples; });
    TrainingWindow training(experiment, *network, data, largest->samples, control);
    training.open({ .microBatches = static_cast<std::int64_t>(window.size()) });
    for (const Slice& slice : window)
        training.add(order, slice);
    training.close(experiment.optimizer.lr);
    return flatParameters(*network) - before;
}

double relativeDistance(const at::Tensor& a, const at::Tensor& b)
{
    const at::Tensor reference = b.to(at::kCPU, at::kDouble);
    const at::Tensor difference = a.to(at::kCPU, at::kDouble) - reference;
    return difference.norm().item<double>() / reference.norm().item<double>();
}

void runFirstOperators()
{
    try {
        const ResidentDataSet data = blankPictures();
        for (const ModelName name : { ModelName::LeNet5, ModelName::Mlp }) {
            Experiment experiment;
            experiment.model.name = name;
            updateFrom(experiment, data, windowOf({ data.train.samples() }));
        }
    } catch (const std::exception&) { // see the header
    }
}

} // namespace accrue
