// SPDX-License-Identifier: Apache-2.0
#include "engine/session/saved_models.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include <torch/utils.h>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/device_scope.h"
#include "engine/accelerator/devices.h"
#include "engine/base/sentences.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/events/data_difference.h"
#include "engine/session/evaluation.h"
#include "engine/session/run_failure.h"
#include "engine/session/run_preparation.h"
#include "engine/window/parameter_average.h"

namespace accrue {
namespace {

// An evaluation outside of a run cannot be stopped.
bool always()
{
    return true;
}

std::vector<Message> warningsOf(const Checkpoint& saved, const RunStarted& run)
{
    if (!saved.data.isKnown())
        return { dataNotStored() };
    return evaluationWarnings(saved.data, run.data, run.experiment.data.validation != HeldOut {});
}

// Prepares data, threads and model as a run does, and loads parameters and buffers from the
// checkpoint.
PreparedRun preparedModel(
    const EvaluationRequest& request, const Checkpoint& saved, at::Device device, RunStarted& run)
{
    const TrainRequest asRun { requireValid(request.experiment), request.dataDirectories, {},
        request.checkpoint };
    PreparedRun prepared = prepareRun(asRun, device, &saved, run, Purpose::Evaluate);
    if (const Message problem = classDifference(saved.data, run.data);
        saved.data.isKnown() && !problem.empty())
        throw Error(problem);
    if (!saved.data.isKnown() && run.trainSamples != saved.trainSamples)
        throw Error(Message("session.evaluated_other_size",
            { { "found", run.trainSamples }, { "saved", saved.trainSamples } }));
    restoreTensors(namedState(*prepared.network), saved.model, Message("session.saved_model"));
    return prepared;
}

// With the order and augmentation of the epoch in which the checkpoint was saved, as the run did.
void recomputeIfAsked(const EvaluationRequest& request, const Checkpoint& saved,
    const PreparedRun& run, std::int64_t micro, at::Device device)
{
    const Experiment& experiment = request.experiment;
    if (!experiment.model.batchnormPrecise)
        return;
    EpochOrder order(experiment, run.data.train.samples(), device);
    order.draw(saved.state.position.epoch);
    recomputeStatistics(*run.network, run.data, order, micro, always, World::alone());
}

Evaluated wholeEvaluation(const PreparedRun& run, const Position& at, std::int64_t batch)
{
    const auto whole = [&](const ResidentSplit& split) {
        return evaluate(*run.network, run.data, split, batch, always).value();
    };
    const Evaluation test = whole(run.data.test);
    return evaluatedAt(
        at, test, run.data.validation ? std::optional(whole(*run.data.validation)) : std::nullopt);
}

// Torch's names for running statistics; all other tensors of a model are parameters.
bool isBuffer(const std::string& name)
{
    return name.ends_with("running_mean") || name.ends_with("running_var")
        || name.ends_with("num_batches_tracked");
}

// As RunEvaluation does it while the run trains: averages in place of the parameters, and precise
// BatchNorm after that. Only then do the figures agree with those of the run.
CheckpointFigures evaluated(const EvaluationRequest& request, at::Device& device)
{
    const Checkpoint saved = readCheckpoint(request.checkpoint);
    device = resolveDevice(request.experiment.run.device);
    const DeviceScope scope(device);
    RunStarted started;
    const PreparedRun run = preparedModel(request, saved, device, started);
    std::optional<ParameterAverage> average;
    std::optional<AveragedWeights> averaged;
    if (request.experiment.optimizer.ema > 0) {
        average.emplace(*run.network, request.experiment.optimizer.ema);
        average->restore(tensorsBelow(saved.tensors, "ema."));
        averaged.emplace(*average);
    }
    recomputeIfAsked(request, saved, run, started.plan.micro, device);
    CheckpointFigures figures;
    figures.evaluated =
        wholeEvaluation(run, saved.state.position, request.experiment.run.evaluationBatch);
    figures.dataDescription = started.dataDescription;
    figures.warnings = warningsOf(saved, started);
    figures.device = deviceId(device);
    figures.threads = started.threads;
    return figures;
}

// By names and shapes alone: the recipes may differ in everything else.
bool areOfOneNetwork(const NamedTensors& a, const NamedTensors& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& two) {
        return one.first == two.first && one.second.sizes() == two.second.sizes();
    });
}

// In double, because the sum over millions of float32 squares would lose the digits that show
// rounding.
ParameterDistance distance(const std::filesystem::path& a, const std::filesystem::path& b)
{
    const Checkpoint one = readCheckpoint(a);
    const Checkpoint other = readCheckpoint(b);
    if (!areOfOneNetwork(one.model, other.model))
        throw Error(Message("session.different_networks"));
    ParameterDistance found {
        .problem = {}, .stepOfA = one.state.position.step, .stepOfB = other.state.position.step
    };
    double apart = 0;
    double length = 0;
    for (const auto& [name, tensor] : one.model) {
        if (isBuffer(name))
            continue;
        const at::Tensor& theirs = tensorOf(other.model, name);
        const at::Tensor mine = tensor.to(at::kDouble);
        apart += (mine - theirs.to(at::kDouble)).square().sum().item<double>();
        length += mine.square().sum().item<double>();
        found.parameters += mine.numel();
    }
    found.relative = apart > 0 ? std::sqrt(apart / length) : 0;
    return found;
}

} // namespace

// Wrong input and a failure of the machine differ in the exit code, so both are caught apart.
CheckpointFigures evaluateCheckpoint(const EvaluationRequest& request)
{
    CheckpointFigures none;
    at::Device device(at::kCPU);
    try {
        return evaluated(request, device);
    } catch (const Error& error) {
        none.problem = error.message();
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), device);
        none.problem = failure.message;
        none.machine = true;
    }
    return none;
}

ParameterDistance parameterDistance(const std::filesystem::path& a, const std::filesystem::path& b)
{
    try {
        return distance(a, b);
    } catch (const std::exception& error) {
        return { .problem = messageOf(error) };
    }
}

} // namespace accrue
