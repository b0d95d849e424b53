// SPDX-License-Identifier: Apache-2.0
#include "engine/training/single_window.h"

#include <algorithm>
#include <numeric>

#include <torch/utils.h>

#include "engine/training/accumulator.h"
#include "engine/training/clipping.h"
#include "engine/training/gradient_norm.h"
#include "engine/training/guard.h"
#include "engine/training/model_setup.h"
#include "engine/training/numerics.h"
#include "engine/training/optimizer.h"

namespace accrue {
namespace {

at::Tensor flatParameters(const Network& network)
{
    const torch::NoGradGuard noGrad;
    std::vector<at::Tensor> parts;
    for (const at::Tensor& parameter : network.parameters())
        parts.push_back(parameter.flatten().to(at::kCPU, at::kDouble));
    return at::cat(parts);
}

std::int64_t largestOf(const std::vector<Slice>& window)
{
    std::int64_t largest = 0;
    for (const Slice& slice : window)
        largest = std::max(largest, slice.samples);
    return largest;
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

at::Tensor updateFrom(
    const Experiment& experiment, const ResidentDataSet& data, const std::vector<Slice>& window)
{
    setNumerics(experiment.run);
    const at::Device device = data.train.images.device();
    const at::Tensor order = at::arange(data.train.samples(), data.train.labels.options());
    const auto network = makeNetwork(experiment, data);
    const at::Tensor before = flatParameters(*network);
    RunControl control;
    PhaseWatch watch(device, control);
    WindowMetrics metrics(device);
    Accumulator accumulator(*network, data, largestOf(window));
    const auto optimizer = makeOptimizer(experiment.optimizer, *network);
    Guard guard(*network, device, experiment.run.notFinite);

    guard.beginWindow();
    network->beginWindow(static_cast<std::int64_t>(window.size()));
    watch.beginWindow(static_cast<std::uint32_t>(window.size()));
    accumulator.beginWindow();
    for (const Slice& slice : window) {
        watch.enterSlice(1, slice.samples);
        accumulator.add(order, slice, metrics, watch);
    }
    network->endWindow();
    accumulator.endWindow();
    metrics.gradientNorm().copy_(gradientNorm(accumulator.flatGradient()));
    Clipping(experiment.optimizer, accumulator.flatGradient())
        .apply(accumulator.flatGradient(), metrics.gradientNorm());
    optimizer->step(experiment.optimizer.lr, guard.judge(metrics));
    return flatParameters(*network) - before;
}

double relativeDistance(const at::Tensor& a, const at::Tensor& b)
{
    const at::Tensor reference = b.to(at::kCPU, at::kDouble);
    const at::Tensor difference = a.to(at::kCPU, at::kDouble) - reference;
    return difference.norm().item<double>() / reference.norm().item<double>();
}

} // namespace accrue
