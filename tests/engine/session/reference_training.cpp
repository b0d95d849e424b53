// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/session/reference_training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <torch/nn/module.h>
#include <torch/utils.h>

#include "engine/base/random.h"
#include "engine/checkpoint/safetensors.h"
#include "engine/data/load_data.h"
#include "engine/data/sampler.h"
#include "engine/door/checkpoints.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "engine/session/model_setup.h"
#include "engine/session/session.h"
#include "tests/engine/session/training_fixture.h"

namespace accrue::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::string kModelPrefix = "model.";
const std::string kAveragePrefix = "ema.";

// Noise with a bright band at the place of the label. No two neighbouring pixels are systematically
// equal, so that max-pooling and ReLU meet no ties, which rounding would decide.
std::string noisyImages(std::uint32_t samples, std::uint32_t side, std::uint64_t seed)
{
    const std::uint32_t pixels = side * side;
    const std::uint32_t band = pixels / 10;
    std::string bytes = idxHeader({ samples, side, side });
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
        CounterRandom random(seed, sample);
        for (std::uint32_t pixel = 0; pixel < pixels; ++pixel)
            bytes += static_cast<char>(random.below(128) + (pixel / band == sample % 10 ? 127 : 0));
    }
    return bytes;
}

void writeNoisyPictures(
    const std::filesystem::path& folder, std::uint32_t samples, std::uint32_t side)
{
    constexpr std::uint32_t kTest = 10;
    if (std::filesystem::exists(folder))
        return;
    written(folder / "train-images-idx3-ubyte", noisyImages(samples, side, 1));
    written(folder / "train-labels-idx1-ubyte", idxLabels(samples, 10));
    written(folder / "t10k-images-idx3-ubyte", noisyImages(kTest, side, 2));
    written(folder / "t10k-labels-idx1-ubyte", idxLabels(kTest, 10));
}

ResidentDataSet picturesOf(const Experiment& experiment)
{
    return makeResident(loadRawData(experiment.data, {}), at::kCPU);
}

// Those that another seed would begin with.
void writeOtherWeights(const std::filesystem::path& file, Experiment experiment)
{
    experiment.model.initFrom.clear();
    experiment.run.seed += 1000;
    writeSafetensors(file, namedState(*makeNetwork(experiment, picturesOf(experiment))));
}

void applyAll(Experiment& experiment, const std::string& settings)
{
    std::istringstream stream(settings);
    for (std::string setting; std::getline(stream >> std::ws, setting, ';');)
        for (const Finding& finding : applySetting(experiment, setting))
            if (finding.severity == Finding::Severity::Error)
                throw std::invalid_argument(finding.message.english());
}

// The samples of all epochs: [epochs, samples].
at::Tensor ordersOf(const Experiment& experiment, std::int64_t samples)
{
    const Sampler sampler { samples, experiment.run.seed, experiment.data.shuffle };
    at::Tensor orders = at::empty({ experiment.run.epochs, samples }, at::kLong);
    for (std::int64_t epoch = 1; epoch <= experiment.run.epochs; ++epoch)
        orders[epoch - 1].copy_(at::tensor(sampler.epochOrder(epoch), at::kLong));
    return orders;
}

bool holds(const NamedTensors& tensors, const std::string& name)
{
    return std::any_of(
        tensors.begin(), tensors.end(), [&name](const auto& named) { return named.first == name; });
}

// Sorts a model's tensors by what `start` has them for; an unknown one is a parameter too many.
void takeModel(const NamedTensors& model, const Trained& start, Trained& trained)
{
    for (const auto& [name, tensor] : model)
        (holds(start.buffers, name) ? trained.buffers : trained.parameters)
            .emplace_back(name, tensor);
}

NamedTensors sorted(NamedTensors tensors)
{
    std::sort(tensors.begin(), tensors.end(),
        [](const auto& left, const auto& right) { return left.first < right.first; });
    return tensors;
}

bool fit(const NamedTensors& left, const NamedTensors& right)
{
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(), [](const auto& a, const auto& b) {
            return a.first == b.first && a.second.sizes() == b.second.sizes();
        });
}

// What is not a number is as far off as can be.
double relative(double difference, double size)
{
    const double share = difference == 0 ? 0 : difference / size;
    return std::isfinite(share) ? share : kInfinity;
}

double squares(const at::Tensor& tensor)
{
    return tensor.to(at::kDouble).square().sum().item<double>();
}

double ofAll(const NamedTensors& left, const NamedTensors& right)
{
    double difference = 0;
    double size = 0;
    for (std::size_t index = 0; index < left.size(); ++index) {
        const at::Tensor reference = right[index].second.to(at::kDouble);
        difference += squares(left[index].second.to(at::kDouble) - reference);
        size += squares(reference);
    }
    return relative(std::sqrt(difference), std::sqrt(size));
}

double ofWorst(const NamedTensors& left, const NamedTensors& right)
{
    double worst = 0;
    for (std::size_t index = 0; index < left.size(); ++index)
        worst = std::max(worst, ofAll({ left[index] }, { right[index] }));
    return worst;
}

double ofAll(const std::vector<double>& left, const std::vector<double>& right)
{
    if (left.size() != right.size())
        return kInfinity;
    double difference = 0;
    double size = 0;
    for (std::size_t index = 0; index < left.size(); ++index) {
        difference += std::pow(left[index] - right[index], 2);
        size += std::pow(right[index], 2);
    }
    return relative(std::sqrt(difference), std::sqrt(size));
}

std::vector<double> valuesOf(const at::Tensor& tensor)
{
    const double* values = tensor.const_data_ptr<double>();
    return { values, values + tensor.numel() };
}

} // namespace

double Difference::greatest() const
{
    return std::max({ parameters, buffers, averages, losses, gradientNorms, rates, evaluations });
}

std::string Difference::text() const
{
    std::array<char, 240> line {};
    std::snprintf(line.data(), line.size(),
        "parameters %.1e, buffers %.1e, averages %.1e, losses %.1e, gradient norms %.1e, "
        "rates %.1e, evaluations %.1e",
        parameters, buffers, averages, losses, gradientNorms, rates, evaluations);
    return line.data();
}

Experiment experimentOf(const Training& training, const std::filesystem::path& dataFolder)
{
    const std::filesystem::path pictures =
        dataFolder / (std::to_string(training.samples) + " of " + std::to_string(training.side));
    writeNoisyPictures(pictures, training.samples, training.side);
    Experiment experiment;
    experiment.data.name = DataName::Idx;
    experiment.data.path = pictures.string();
    experiment.optimizer.lr = 0.005;
    experiment.run.device = "cpu";
    experiment.run.threads = 1;
    experiment.run.epochs = 20;
    experiment.run.limitSteps = 20;
    experiment.checkpoint.best = false;
    applyAll(experiment, training.settings);
    if (std::string& weights = experiment.model.initFrom; !weights.empty()) {
        weights = (dataFolder / weights).string();
        writeOtherWeights(weights, experiment);
    }
    return experiment;
}

Trained writeStart(const std::filesystem::path& folder, const Experiment& experiment)
{
    const ResidentDataSet data = picturesOf(experiment);
    const auto network = makeNetwork(experiment, data);
    Trained start;
    for (const auto& named : network->named_parameters())
        start.parameters.emplace_back(named.key(), named.value().detach());
    for (const auto& named : network->named_buffers())
        start.buffers.emplace_back(named.key(), named.value());
    NamedTensors all { { "order", ordersOf(experiment, data.train.samples()) } };
    for (const auto& [name, tensor] : namedState(*network))
        all.emplace_back(kModelPrefix + name, tensor);
    std::filesystem::create_directories(folder);
    writeSafetensors(folder / "start.safetensors", all);
    saveRecipe(experiment, folder / "recipe.toml");
    return start;
}

Trained trainBySession(
    const std::filesystem::path& folder, const Experiment& experiment, const Trained& start)
{
    const OpenRequest request {
        .experiment = experiment, .dataDirectories = {}, .checkpointFolder = folder / "checkpoint"
    };
    RunControl control;
    EventList events;
    const RunEnded ended = Session(request, control, events).run();
    Trained trained;
    if (ended.outcome != RunOutcome::Completed) {
        trained.failure = "The session did not complete: " + ended.message.english();
        return trained;
    }
    for (const StepDone& step : events.all<StepDone>()) {
        trained.samples.push_back(static_cast<double>(step.windowSamples));
        trained.losses.push_back(step.loss);
        trained.gradientNorms.push_back(step.gradientNorm);
        trained.rates.push_back(step.learningRate);
    }
    for (const Evaluated& evaluation : events.all<Evaluated>())
        trained.evaluations.push_back(evaluation.testLoss);
    const Checkpoint saved = readCheckpoint(checkpointsIn(request.checkpointFolder).front());
    takeModel(saved.model, start, trained);
    trained.averages = tensorsBelow(saved.tensors, kAveragePrefix);
    std::filesystem::remove_all(request.checkpointFolder);
    return trained;
}

Trained readResult(
    const std::filesystem::path& folder, const std::string& name, const Trained& start)
{
    Trained trained;
    if (std::ifstream error(folder / (name + ".error")); error) {
        trained.failure.assign(std::istreambuf_iterator<char>(error), {});
        return trained;
    }
    const NamedTensors result = readSafetensors(folder / (name + ".safetensors"));
    const auto figures = [&result](
                             const std::string& of) { return valuesOf(tensorOf(result, of)); };
    NamedTensors model;
    for (const auto& [tensorName, tensor] : tensorsBelow(result, kModelPrefix))
        model.emplace_back(tensorName.substr(kModelPrefix.size()), tensor);
    takeModel(model, start, trained);
    trained.averages = tensorsBelow(result, kAveragePrefix);
    trained.samples = figures("steps.samples");
    trained.losses = figures("steps.loss");
    trained.gradientNorms = figures("steps.gradient_norm");
    trained.clipped = figures("steps.clipped");
    trained.rates = figures("steps.rate");
    trained.evaluations = figures("evaluations.loss");
    return trained;
}

Clips clipsOf(const Trained& reference)
{
    const auto clipped = std::count(reference.clipped.begin(), reference.clipped.end(), 1);
    if (clipped == 0)
        return Clips::Never;
    return clipped == std::ssize(reference.clipped) ? Clips::Always : Clips::AtSome;
}

Difference between(const Trained& trained, const Trained& reference)
{
    const NamedTensors parameters = sorted(trained.parameters);
    const NamedTensors buffers = sorted(trained.buffers);
    const NamedTensors otherParameters = sorted(reference.parameters);
    const NamedTensors otherBuffers = sorted(reference.buffers);
    const NamedTensors averages = sorted(trained.averages);
    const NamedTensors otherAverages = sorted(reference.averages);
    if (!fit(parameters, otherParameters) || !fit(buffers, otherBuffers))
        return { kInfinity, kInfinity, kInfinity, kInfinity, kInfinity, kInfinity, kInfinity };
    return { .parameters = ofAll(parameters, otherParameters),
        .buffers = ofWorst(buffers, otherBuffers),
        .averages = fit(averages, otherAverages) ? ofAll(averages, otherAverages) : kInfinity,
        .losses = ofAll(trained.losses, reference.losses),
        .gradientNorms = ofAll(trained.gradientNorms, reference.gradientNorms),
        .rates = ofAll(trained.rates, reference.rates),
        .evaluations = ofAll(trained.evaluations, reference.evaluations) };
}

} // namespace accrue::test
