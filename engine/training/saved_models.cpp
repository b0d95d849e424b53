// SPDX-License-Identifier: Apache-2.0
#include "engine/training/saved_models.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include <torch/utils.h>

#include "engine/accelerator/accelerators.h"
#include "engine/data/raw_data.h"
#include "engine/data/sampler.h"
#include "engine/door/engine_error.h"
#include "engine/events/data_difference.h"
#include "engine/experiment/format.h"
#include "engine/training/checkpoint.h"
#include "engine/training/device_scope.h"
#include "engine/training/devices.h"
#include "engine/training/evaluation.h"
#include "engine/training/parameter_average.h"
#include "engine/training/run_failure.h"
#include "engine/training/run_preparation.h"

namespace accrue {
namespace {

bool always()
{
    return true;
}

void requireSameClasses(const DataIdentity& trained, const DataIdentity& now)
{
    if (const std::string problem = classDifference(trained, now); !problem.empty())
        throw EngineError(problem);
}

std::vector<std::string> warningsOf(const Checkpoint& saved, const RunStarted& run)
{
    if (!saved.data.isKnown())
        return { kDataNotStored };
    return evaluationWarnings(saved.data, run.data, run.experiment.data.validation != HeldOut {});
}

// The run's model, data and threads, its parameters and buffers those of the checkpoint.
PreparedRun preparedModel(
    const EvaluationRequest& request, const Checkpoint& saved, at::Device device, RunStarted& run)
{
    const TrainRequest asRun { request.experiment, request.dataDirectories, {},
        request.checkpoint };
    run.experiment = request.experiment;
    PreparedRun prepared = prepareRun(asRun, device,
        ComputedWith { saved.threads, saved.memoryFormat, saved.data }, run, Purpose::Evaluate);
    if (saved.data.isKnown())
        requireSameClasses(saved.data, run.data);
    else if (run.trainSamples != saved.trainSamples)
        throw EngineError("The training set has " + formatCount(run.trainSamples)
            + " samples, that of the checkpoint has " + formatCount(saved.trainSamples)
            + ": these are not the data that it was trained on.");
    restoreTensors(namedState(*prepared.network), saved.model, "The checkpoint's model");
    return prepared;
}

void recomputeIfAsked(const EvaluationRequest& request, const Checkpoint& saved,
    const PreparedRun& run, std::int64_t micro, at::Device device)
{
    const Experiment& experiment = request.experiment;
    if (!experiment.model.batchnormPrecise)
        return;
    const std::int64_t epoch = saved.state.position.epoch;
    const Sampler sampler(run.data.train.samples(), experiment.run.seed, experiment.data.shuffle);
    const at::Tensor order = at::tensor(sampler.epochOrder(epoch), at::kLong).to(device);
    recomputeStatistics(*run.network, run.data,
        augmentationOf(experiment.data.augment, experiment.run.seed, epoch), order, micro, always);
}

Evaluated evaluatedAt(const Position& at)
{
    return { .epoch = at.epoch,
        .step = at.step,
        .samples = at.samples,
        .microBatches = at.microBatches,
        .seconds = at.seconds };
}

void fillFigures(Evaluated& figures, const PreparedRun& run, std::int64_t batch)
{
    const Evaluation test = evaluate(*run.network, run.data, run.data.test, batch, always).value();
    figures.testLoss = test.loss;
    figures.testAccuracy = test.accuracy;
    if (!run.data.validation)
        return;
    const auto heldOut =
        evaluate(*run.network, run.data, *run.data.validation, batch, always).value();
    figures.validationLoss = heldOut.loss;
    figures.validationAccuracy = heldOut.accuracy;
}

// The running statistics, torch's names of them; no other tensors of a model are no parameters.
bool isBuffer(const std::string& name)
{
    return name.ends_with("running_mean") || name.ends_with("running_var")
        || name.ends_with("num_batches_tracked");
}

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
    figures.evaluated = evaluatedAt(saved.state.position);
    figures.dataDescription = started.dataDescription;
    figures.warnings = warningsOf(saved, started);
    figures.device = deviceId(device);
    figures.threads = started.threads;
    fillFigures(figures.evaluated, run, request.experiment.run.evaluationBatch);
    return figures;
}

bool areOfOneNetwork(const NamedTensors& a, const NamedTensors& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& two) {
        return one.first == two.first && one.second.sizes() == two.second.sizes();
    });
}

ParameterDistance distance(const std::filesystem::path& a, const std::filesystem::path& b)
{
    const Checkpoint one = readCheckpoint(a);
    const Checkpoint other = readCheckpoint(b);
    if (!areOfOneNetwork(one.model, other.model))
        throw EngineError("The two checkpoints are of different networks.");
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

CheckpointFigures evaluateCheckpoint(const EvaluationRequest& request)
{
    CheckpointFigures none;
    at::Device device(at::kCPU);
    try {
        return evaluated(request, device);
    } catch (const EngineError& error) {
        none.problem = error.what();
    } catch (const DataError& error) {
        none.problem = error.what();
    } catch (...) {
        const RunFailure failure = describeFailure(std::current_exception(), device);
        none.problem = failure.message;
        none.machine = true;
    }
    return none;
}

ParameterDistance parameterDistance(const std::filesystem::path& a, const std::filesystem::path& b)
{
    ParameterDistance none;
    try {
        return distance(a, b);
    } catch (const std::exception& error) {
        none.problem = error.what();
    }
    return none;
}

} // namespace accrue
