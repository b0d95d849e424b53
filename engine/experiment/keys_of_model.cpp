// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/key_names.h"
#include "engine/experiment/key_value.h"
#include "engine/experiment/models.h"

namespace accrue {

namespace {

using S = ModelSettings;

constexpr auto in = [](auto member) { return field(&Experiment::model, member); };

KeyCondition withNorm(Norm norm, const char* word)
{
    return { [norm](const Experiment& e) { return e.model.norm == norm; },
        usedOnlyWith(key::modelNorm, Message::plain(word)) };
}

// Statistics of a whole window are applied once, so there are no N micro-batches to correct for.
KeyCondition unlessCorrectedWindows()
{
    return { [](const Experiment& e) {
                return !e.model.batchnormWindow || !e.model.batchnormMomentum.corrected;
            },
        Message("setting.batchnorm_once_per_window"), KeyCondition::Row::Shown };
}

// Every tensor comes from the file, which must have them all.
KeyCondition unlessFromFile()
{
    return { [](const Experiment& e) { return e.model.initFrom.empty(); },
        Message("setting.weights_from_file"), KeyCondition::Row::Shown };
}

KeyCondition withNormalInit()
{
    return { [](const Experiment& e) { return e.model.init == Initialisation::Normal; },
        usedOnlyWith("model.init", Message::plain("\"normal\"")) };
}

std::vector<KeyInfo> network()
{
    return {
        {
            .key = key::modelName,
            .label = "Model",
            .help = "Network to train: the convolutional LeNet-5, a residual network (ResNet), a "
                    "small VGG, or an MLP with hidden layers of given widths.",
            .memory = MemoryEffect::Always,
            .filter = "model",
            .value = choice(in(&S::name), choicesOf(modelTable())),
        },
    };
}

std::vector<KeyInfo> normLayers()
{
    return {
        {
            .key = key::modelNorm,
            .label = "Normalisation layers",
            .help = "Normalisation between a layer and its ReLU; BatchNorm computes its "
                    "statistics over one micro-batch, GroupNorm, LayerNorm and InstanceNorm over "
                    "one sample.",
            .memory = MemoryEffect::Always,
            .filter = "norm",
            .value = choice(in(&S::norm),
                { { "none", "None" }, { "batch", "BatchNorm" }, { "group", "GroupNorm" },
                    { "layer", "LayerNorm" }, { "instance", "InstanceNorm" } }),
        },
        {
            // Which numbers divide the channels of every slot depends on the network: validation
            // checks that, the range here does not.
            .key = key::modelGroups,
            .label = "Groups",
            .help = "Groups of GroupNorm; `auto` is the largest divisor of the channels that is "
                    "at most 32 and leaves at least two channels per group.",
            .conditions = { withNorm(Norm::Group, "\"group\"") },
            .memory = MemoryEffect::Always,
            .value = value(in(&S::groups), kCountOrAuto),
        },
    };
}

// Keys that one network uses; its row in models.cpp names them.
std::vector<KeyInfo> keysOfOneNetwork()
{
    return {
        {
            .key = key::modelWidths,
            .label = "Hidden widths",
            .help = "Widths of the hidden layers of mlp.",
            .hint = "e.g. 512, 256",
            .memory = MemoryEffect::Always,
            .value = value(in(&S::widths), kWidths),
        },
        {
            .key = "model.stem",
            .label = "Stem",
            .help = "First layers of a residual network: 7 × 7 with stride 2 and max-pooling for "
                    "large images, or 3 × 3 with stride 1 for small ones.",
            .memory = MemoryEffect::Always,
            .value = choice(in(&S::stem),
                { { "imagenet", "ImageNet: 7 × 7, max-pool" }, { "cifar", "CIFAR: 3 × 3" } }),
        },
    };
}

std::vector<KeyInfo> initialisation()
{
    return {
        {
            .key = "model.init",
            .label = "Initialisation",
            .help = "Initial parameters: those of PyTorch for each layer, or weights from "
                    "N(0, `init_sigma`) and biases 0.",
            .conditions = { unlessFromFile() },
            .value =
                choice(in(&S::init), { { "torch", "PyTorch default" }, { "normal", "Normal" } }),
        },
        {
            .key = "model.init_sigma",
            .label = "σ of the weights",
            .help = "Standard deviation of the weights with `init = \"normal\"`.",
            .conditions = { withNormalInit() },
            .value = value(in(&S::initSigma), kSigma),
        },
        {
            .key = "model.init_from",
            .label = "Weights from file",
            .help = "File with tensors that become the initial parameters and buffers of the same "
                    "names.",
            .hint = "none; a .safetensors file",
            // A recipe is read without the file; whether it fits the network is checked when the
            // run is prepared.
            .value = value(in(&S::initFrom), kSafetensorsFile),
        },
    };
}

// How BatchNorm's running statistics follow the micro-batches of a window, which would otherwise
// count as batches of their own.
std::vector<KeyInfo> runningStatistics()
{
    return {
        {
            .key = key::modelBatchnormMomentum,
            .label = "BatchNorm momentum",
            .help = "Weight of each micro-batch in BatchNorm's running statistics; `corrected` "
                    "uses 1 − 0.9^(1/N), so that a window of N micro-batches has the weight 0.1, "
                    "as one batch would.",
            .conditions = { withNorm(Norm::Batch, "\"batch\""), unlessCorrectedWindows() },
            .memory = MemoryEffect::None,
            .choices = { { "0.1", "0.1 per micro-batch, as in PyTorch" },
                { "corrected", "Corrected for N: 0.1 per window" } },
            .value = value(in(&S::batchnormMomentum), kBatchNormMomentum),
        },
        {
            .key = "model.batchnorm_window",
            .label = "BatchNorm statistics over the whole effective batch",
            .help = "Whether BatchNorm updates its running statistics once per window, with the "
                    "mean and variance of the layer's inputs in the whole window, instead of once "
                    "per micro-batch.",
            .conditions = { withNorm(Norm::Batch, "\"batch\"") },
            .memory = MemoryEffect::Always,
            .value = yesOrNo(in(&S::batchnormWindow)),
        },
        {
            .key = "model.batchnorm_precise",
            .label = "Recompute BatchNorm statistics before evaluation",
            .help = "Whether BatchNorm's running statistics are recomputed from training samples "
                    "with the current parameters before each evaluation.",
            .conditions = { withNorm(Norm::Batch, "\"batch\"") },
            .memory = MemoryEffect::Always,
            .value = yesOrNo(in(&S::batchnormPrecise)),
        },
        {
            .key = "model.batchnorm_sync",
            .label = "BatchNorm statistics of all devices",
            .help =
                "Whether BatchNorm normalises by the mean and variance of the micro-batches that "
                "all devices compute side by side, instead of each by its own.",
            .conditions = { withNorm(Norm::Batch, "\"batch\""), onSeveralDevices() },
            .value = yesOrNo(in(&S::batchnormSync)),
        },
    };
}

} // namespace

std::vector<KeyInfo> keysOfModel()
{
    // A section of its own in the form; in recipes the keys are those of [model].
    const auto inSection = [](KeyInfo& key) { key.section = KeySection::Normalisation; };
    const auto isOfStart = [](KeyInfo& key) {
        key.isAdvanced = true;
        key.memory = MemoryEffect::None;
    };
    return together({ network(), sharing(normLayers(), inSection), keysOfOneNetwork(),
        sharing(initialisation(), isOfStart), sharing(runningStatistics(), inSection) });
}

} // namespace accrue
