// SPDX-License-Identifier: Apache-2.0
#include "engine/training/single_window.h"

#include <algorithm>
#include <numeric>

#include <torch/utils.h>

#include "engine/training/accumulator.h"
#include "engine/training/clipping.h"
#include "engine/training/guard.h"
#include "engine/training/model_setup.h"
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

} // namespace

at::Tensor parametersAfterOneUpdate(const Experiment& experiment, const ResidentDataSet& data,
    const std::vector<std::int64_t>& slices)
{
    const at::Device device = data.train.images.device();
    const std::int64_t samples = std::accumulate(slices.begin(), slices.end(), std::int64_t { 0 });
    const at::Tensor order = at::arange(samples, data.train.labels.options());
    const auto network = makeNetwork(experiment, data);
    RunControl control;
    PhaseWatch watch(device, control);
    WindowMetrics metrics(device);
    Accumulator accumulator(*network, data, *std::max_element(slices.begin(), slices.end()));
    const auto optimizer = makeOptimizer(experiment.optimizer, *network);
    Guard guard(*network, device, experiment.run.notFinite);

    guard.beginWindow();
    network->beginWindow(static_cast<std::int64_t>(slices.size()));
    watch.beginWindow(static_cast<std::uint32_t>(slices.size()));
    accumulator.beginWindow();
    Slice slice { .weight = 1.0 / static_cast<double>(samples) };
    for (const std::int64_t size : slices) {
        slice.samples = size;
        watch.enterSlice(1, size);
        accumulator.add(order, slice, metrics, watch);
        slice.begin += size;
    }
    network->endWindow();
    accumulator.endWindow();
    metrics.gradientNorm().copy_(at::linalg_vector_norm(accumulator.flatGradient()));
    Clipping(experiment.optimizer, accumulator.flatGradient())
        .apply(accumulator.flatGradient(), metrics.gradientNorm());
    optimizer->step(experiment.optimizer.lr, guard.judge(metrics));
    return flatParameters(*network);
}

double relativeDistance(const at::Tensor& a, const at::Tensor& b)
{
    const at::Tensor reference = b.to(at::kCPU, at::kDouble);
    const at::Tensor difference = a.to(at::kCPU, at::kDouble) - reference;
    return difference.norm().item<double>() / reference.norm().item<double>();
}

} // namespace accrue
