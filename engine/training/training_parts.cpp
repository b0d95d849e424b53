// SPDX-License-Identifier: Apache-2.0
#include "engine/training/training_parts.h"

#include <algorithm>
#include <string>

#include "engine/training/checkpoint.h"

namespace accrue {
namespace {

// An overflow of float16 ends no run: the host judges each window before the next one.
NotFinite modeOfGuard(const RunSettings& run)
{
    return run.precision == Precision::Float16 ? NotFinite::Skip : run.notFinite;
}

const std::string kMoments = "window.moments."; // what normalisation layers keep of a window

NamedTensors momentsIn(const NamedTensors& window)
{
    const NamedTensors saved = tensorsBelow(window, kMoments);
    NamedTensors moments;
    moments.reserve(saved.size());
    for (const auto& [name, tensor] : saved)
        moments.emplace_back(name.substr(kMoments.size()), tensor);
    return moments;
}

} // namespace

TrainingParts::TrainingParts(
    const TrainRequest& request, const PreparedRun& run, RunControl& control, MemoryMeter& meter)
    : experiment(request.experiment)
    , device(run.data.train.images.device())
    , network(*run.network)
    , sampler(run.data.train.samples(), experiment.run.seed, experiment.data.shuffle)
    , accumulator(*run.network, run.data, std::min(run.windows.micro(), run.data.train.samples()))
    , clipping(experiment.optimizer, accumulator.flatGradient())
    , optimizer(makeOptimizer(experiment.optimizer, *run.network))
    , guard(*run.network, device, modeOfGuard(experiment.run))
    , metrics(device)
    , watch(device, control, &meter)
    , evaluationDue(experiment.run.evaluateEvery)
    , checkpointDue(experiment.checkpoint.every)
    // A skipped window changes what the next one does (Optimizer::stepWasRefused, the loss scale),
    // so there it is read at once.
    , readsLate(!device.is_cpu() && modeOfGuard(experiment.run) == NotFinite::End ? 1 : 0)
{
    if (experiment.optimizer.ema > 0)
        average.emplace(network, experiment.optimizer.ema);
    if (!experiment.trace.parameters.empty())
        trace.emplace(network, experiment.trace.parameters);
}

NamedTensors TrainingParts::state() const
{
    NamedTensors tensors = optimizer->state();
    const NamedTensors averages = average ? average->state() : NamedTensors {};
    tensors.insert(tensors.end(), averages.begin(), averages.end());
    return tensors;
}

NamedTensors TrainingParts::modelBeforeWindow() const
{
    NamedTensors model = namedState(network);
    std::size_t index = 0;
    for (const auto& buffer : network.named_buffers()) {
        const auto isBuffer = [&](const auto& named) { return named.first == buffer.key(); };
        std::find_if(model.begin(), model.end(), isBuffer)->second = guard.remembered()[index++];
    }
    return model;
}

NamedTensors TrainingParts::window() const
{
    NamedTensors tensors { { "window.gradient", accumulator.flatGradient() },
        { "window.figures", metrics.figures() } };
    for (const auto& buffer : network.named_buffers())
        tensors.emplace_back("window.buffer." + buffer.key(), buffer.value());
    for (const auto& [name, moments] : network.windowState())
        tensors.emplace_back(kMoments + name, moments);
    return tensors;
}

void TrainingParts::restoreWindow(const NamedTensors& window, const NamedTensors& saved) const
{
    copyValues(window, saved);
    network.restoreWindowState(momentsIn(saved)); // their count is no live tensor
}

} // namespace accrue
