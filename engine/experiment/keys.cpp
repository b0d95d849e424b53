// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/keys.h"

#include "engine/experiment/format.h"
#include "engine/experiment/key_table.h"
#include "engine/experiment/models.h"
#include "engine/experiment/run_name.h"
#include "engine/experiment/shown_text.h"
#include "engine/experiment/spelling.h"
#include "engine/experiment/written_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace accrue {

namespace {

constexpr std::int64_t kLargestAugmentation = 1024; // pixels
constexpr std::size_t kMostChanges = 64; // of a schedule
constexpr std::int64_t kLargestSeed = std::numeric_limits<std::int64_t>::max(); // what TOML holds

// ---- ranges ----

bool isCount(std::int64_t value)
{
    return value >= 1 && value <= kLargestCount;
}
bool isCountOrZero(std::int64_t value)
{
    return value >= 0 && value <= kLargestCount;
}
bool isCountOrAuto(const std::optional<std::int64_t>& value)
{
    return !value || isCount(*value);
}
// The limits of the five below: float32 holds the value, and one update by it.
bool isLearningRate(double value)
{
    return value > 0 && value <= kLargestLearningRate; // false for NaN
}
bool isDecay(double value)
{
    return value >= 0 && value <= 1e6;
}
bool isLimit(double value)
{
    return value == 0 || (value >= 1e-30 && value <= 1e30); // neither 0 nor inf in float32
}
bool isEpsilon(double value)
{
    return std::isfinite(value) && value >= 1e-30; // 1e-46 is 0 in float32
}
bool isSigma(double value)
{
    return value > 0 && value <= 1e6;
}
bool isBatchNormMomentum(const BatchNormMomentum& momentum)
{
    return momentum.value > 0 && momentum.value <= 1; // false for NaN
}
bool isShare(double value)
{
    return value >= 0 && value <= 1; // false for NaN
}
bool isShareBelowOne(double value)
{
    return value >= 0 && value < 1;
}
bool isSeed(std::uint64_t value)
{
    return value <= static_cast<std::uint64_t>(kLargestSeed);
}

bool isWidths(const std::vector<std::int64_t>& widths)
{
    const auto fits = [](std::int64_t width) { return width >= 1 && width <= 65536; };
    return !widths.empty() && widths.size() <= 32
        && std::all_of(widths.begin(), widths.end(), fits);
}

bool isPictureSize(const std::optional<PictureSize>& size)
{
    const auto fits = [](std::int64_t side) { return side >= 1 && side <= 4096; };
    return !size || (fits(size->height) && fits(size->width));
}

bool isHeldOut(const HeldOut& heldOut)
{
    return isCountOrZero(heldOut.samples) && isShareBelowOne(heldOut.share);
}

bool isNormalization(const Normalization& normalization)
{
    const auto isMean = [](double value) { return value >= -1e6 && value <= 1e6; };
    const auto isDeviation = [](double value) { return value >= 1e-6 && value <= 1e6; };
    const auto& [kind, mean, stddev] = normalization;
    return kind != Normalization::Kind::Given
        || (!mean.empty() && mean.size() <= 3 && mean.size() == stddev.size()
            && std::all_of(mean.begin(), mean.end(), isMean)
            && std::all_of(stddev.begin(), stddev.end(), isDeviation));
}

bool isAugment(const AugmentSettings& augment)
{
    return augment.cropPadding <= kLargestAugmentation
        && augment.cutoutSize <= kLargestAugmentation;
}

bool isSpan(const Span& span)
{
    const bool whole = span.unit == Span::Unit::Minutes || std::floor(span.count) == span.count;
    return span.count > 0 && span.count <= static_cast<double>(kLargestCount) && whole;
}

bool isBudget(const std::optional<Bytes>& budget)
{
    constexpr std::int64_t kMost = std::int64_t { 1 } << 50; // a pebibyte
    return !budget || (budget->count > 0 && budget->count <= kMost);
}

// A schedule is solved before the run, which minutes cannot be.
bool isSpanOfUpdates(const Span& span)
{
    return isSpan(span) && span.unit != Span::Unit::Minutes;
}

bool isMilestones(const std::vector<Span>& milestones)
{
    return milestones.size() <= kMostChanges
        && std::all_of(milestones.begin(), milestones.end(), isSpanOfUpdates);
}

bool isDevice(const std::string& device)
{
    if (device == "auto" || device == "cpu" || device == "cuda")
        return true;
    constexpr std::string_view kPrefix = "cuda:";
    if (!device.starts_with(kPrefix))
        return false;
    const std::string index = device.substr(kPrefix.size());
    return !index.empty() && index.size() <= 3
        && index.find_first_not_of("0123456789") == std::string::npos;
}

// Ascending from 0, in one unit; both limits keep the count of updates quick.
bool isStepsSchedule(const std::vector<StepsFrom>& schedule)
{
    constexpr std::int64_t kLastFrom = 10'000'000;
    std::int64_t before = -1;
    for (const StepsFrom& entry : schedule) {
        const bool fits = entry.unit == schedule.front().unit && entry.from > before
            && entry.from <= kLastFrom && isCount(entry.steps);
        if (!fits)
            return false;
        before = entry.from;
    }
    return schedule.empty() || (schedule.size() <= kMostChanges && schedule.front().from == 0);
}

template <typename Value> bool isAnything(const Value&)
{
    return true;
}

// With kLargestCount, kLargestSeed and kMostChanges as they stand in docs/recipes.md.
constexpr const char* kCount = "whole number from 1 to 1000000000";
constexpr const char* kCountOrZero = "whole number from 0 to 1000000000";
constexpr const char* kCountOrAuto = "whole number from 1 to 1000000000, or auto";
constexpr const char* kSeed = "whole number from 0 to 9223372036854775807";
constexpr const char* kYesOrNo = "true or false";
constexpr const char* kStepsFromList =
    "list of at most 64 {from_epoch, steps} or {from_step, steps}, ascending from 0 to at most "
    "10000000";
constexpr const char* kMilestones =
    "list of at most 64 texts such as \"30 epochs\" or \"500 steps\"; no minutes";
constexpr const char* kSpanText =
    "text such as \"1 epoch\", \"500 steps\" or \"10 minutes\", at most 1000000000 of them";
constexpr const char* kSamplesOrShare =
    "whole number of samples from 0 to 1000000000, or a share below 1 such as 0.1";
constexpr const char* kShare = "number from 0 to 1";
constexpr const char* kShareBelowOne = "number from 0 to below 1";
constexpr const char* kLimit = "number from 1e-30 to 1e30, or 0";

const Experiment& defaults()
{
    static const Experiment experiment;
    return experiment;
}

// ---- the kinds of key; `at` leads from an experiment, const or not, to the member ----

template <typename Section, typename Value>
auto field(Section Experiment::*section, Value Section::*value)
{
    return [ section, value ](auto& e) -> auto&
    {
        return e.*section.*value;
    };
}

template <typename At> std::function<bool(const Experiment&)> differsFromDefault(At at)
{
    return [at](const Experiment& e) { return !(at(e) == at(defaults())); };
}

template <typename At, typename InRange>
Key plainKey(std::string key, std::string allowed, At at, InRange inRange, std::string help)
{
    using Value = std::decay_t<decltype(at(defaults()))>;
    return {
        { std::move(key), std::move(allowed), tomlOf(at(defaults())), std::move(help) },
        [at](const Experiment& e) { return show(at(e)); },
        [at](const Experiment& e) { return tomlOf(at(e)); },
        [at](Experiment& e, const WrittenValue& written) { return read(written, at(e)); },
        [at, inRange](const Experiment& e) { return inRange(at(e)); }, differsFromDefault(at),
        std::is_same_v<Value,
            std::
                string> || std::is_same_v<Value, Span> || std::is_same_v<Value, Normalization> || std::is_same_v<Value, std::optional<Bytes>>
    };
}

template <typename At>
Key batchNumberKey(std::string key, SettingValue fallback, At at, std::string help)
{
    const auto get = [at, fallback](const Experiment& e) {
        const BatchNumber& number = at(e);
        if (number.kind == BatchNumber::Kind::Unset)
            return fallback;
        return number.isGiven() ? SettingValue(number.value) : SettingValue(std::string("auto"));
    };
    return { { std::move(key), kCountOrAuto, tomlText(fallback), std::move(help) }, get,
        [get](const Experiment& e) { return tomlText(get(e)); },
        [at](Experiment& e, const WrittenValue& written) { return read(written, at(e)); },
        [at](const Experiment& e) { return !at(e).isGiven() || isCount(at(e).value); },
        [at](const Experiment& e) { return at(e).kind != BatchNumber::Kind::Unset; } };
}

// "digits, mnist or idx"
std::string joinedWithOr(const std::vector<std::string>& words)
{
    std::string joined = words.front();
    for (std::size_t i = 1; i < words.size(); ++i)
        joined += (i + 1 == words.size() ? " or " : ", ") + words[i];
    return joined;
}

// `words` in the order of the enumeration's values.
template <typename At>
Key choiceKey(std::string key, const std::vector<std::string>& words, At at, std::string help)
{
    const auto wordOf = [at, words](const Experiment& e) -> SettingValue {
        return words.at(static_cast<std::size_t>(at(e)));
    };
    const auto assign = [at, words](Experiment& e, const WrittenValue& written) {
        std::string text;
        if (!read(written, text))
            return false;
        const auto found = std::find(words.begin(), words.end(), text);
        if (found == words.end())
            return false;
        using Choice = std::decay_t<decltype(at(e))>;
        at(e) = static_cast<Choice>(found - words.begin());
        return true;
    };
    return { { std::move(key), joinedWithOr(words), tomlText(wordOf(defaults())), std::move(help) },
        wordOf, [wordOf](const Experiment& e) { return tomlText(wordOf(e)); }, assign,
        [](const Experiment&) { return true; }, differsFromDefault(at), true };
}

void addDataKeys(std::vector<Key>& keys)
{
    using S = DataSettings;
    const auto in = [](auto member) { return field(&Experiment::data, member); };
    keys.push_back(choiceKey("data.name",
        { "digits", "mnist", "fashion-mnist", "cifar10", "cifar100", "idx", "images" },
        in(&S::name), "Data set to train on; digits is built in and needs no file."));
    keys.push_back(plainKey("data.path", "folder", in(&S::path), isOneLine,
        "Folder with the files of the data set; when empty, it is looked for in the data "
        "directories."));
    keys.push_back(plainKey("data.image_size",
        "whole number from 1 to 4096, [height, width] of two such, or auto", in(&S::imageSize),
        isPictureSize,
        "Pixels that the pictures of images are brought to: of a side, or height and width; auto "
        "takes the most common size of the training pictures."));
    keys.push_back(choiceKey("data.fit", { "stretch", "crop", "letterbox" }, in(&S::fit),
        "How pictures of images of another size are brought to it: stretched, cropped to the "
        "middle, or padded with grey."));
    keys.push_back(choiceKey("data.unreadable", { "refuse", "skip" }, in(&S::unreadable),
        "What pictures of images that cannot be read do: refuse the set, or be left out."));
    keys.push_back(plainKey("data.test", kSamplesOrShare, in(&S::test), isHeldOut,
        "Samples of images that are held out to test on, drawn by the seed from each class, where "
        "the folder has no part for it; 0 is none."));
    keys.push_back(plainKey("data.validation", kSamplesOrShare, in(&S::validation), isHeldOut,
        "Training samples that are held out to validate on, drawn by the seed; 0 is none."));
    keys.push_back(plainKey("data.normalize",
        "auto, published, measured or {mean = [numbers], std = [numbers from 1e-6 to 1e6]}, one to "
        "three each",
        in(&S::normalize), isNormalization,
        "What pixels are normalised by: the constants that are usual for the set, those measured "
        "on the training pictures, or given ones; auto takes published where there is one."));
    keys.push_back(plainKey("data.augment",
        "list of crop:PADDING, flip and cutout:SIZE, each once, PADDING and SIZE from 1 to 1024",
        in(&S::augment), isAugment,
        "Random changes of the training pictures: a crop after padding with black, a flip of left "
        "and right, a square cut out; made in this order."));
    keys.push_back(plainKey("data.shuffle", kYesOrNo, in(&S::shuffle), isAnything<bool>,
        "Whether every epoch draws a new order of the training samples from the seed."));
}

std::vector<std::string> modelWords()
{
    std::vector<std::string> words;
    words.reserve(modelTable().size());
    for (const ModelInfo& model : modelTable())
        words.emplace_back(model.word);
    return words;
}

void addModelKeys(std::vector<Key>& keys)
{
    using S = ModelSettings;
    const auto in = [](auto member) { return field(&Experiment::model, member); };
    keys.push_back(choiceKey("model.name", modelWords(), in(&S::name),
        "Network to train: the convolutional LeNet-5, ResNet-18 or a small VGG, or a perceptron "
        "with hidden layers of given widths."));
    keys.push_back(choiceKey("model.norm", { "none", "batch", "group", "layer", "instance" },
        in(&S::norm),
        "Normalisation between a layer and its ReLU; BatchNorm's statistics see one micro-batch "
        "only, those of GroupNorm, LayerNorm and InstanceNorm one sample."));
    keys.push_back(plainKey("model.groups", kCountOrAuto, in(&S::groups), isCountOrAuto,
        "Groups of GroupNorm; auto takes the largest divisor of the channels not above 32 that "
        "leaves two channels or more a group."));
    keys.push_back(plainKey("model.widths", "list of 1 to 32 whole numbers from 1 to 65536",
        in(&S::widths), isWidths, "Widths of mlp's hidden layers."));
    keys.push_back(choiceKey("model.stem", { "imagenet", "cifar" }, in(&S::stem),
        "How resnet18 begins: 7 × 7 with stride 2 and max-pool for large pictures, or 3 × 3 with "
        "stride 1 for small ones."));
    keys.push_back(choiceKey("model.init", { "torch", "normal" }, in(&S::init),
        "How parameters begin: as torch initialises each layer, or weights from N(0, init_sigma) "
        "and biases 0."));
    keys.push_back(plainKey("model.init_sigma", "number above 0, at most 1e6", in(&S::initSigma),
        isSigma, "Standard deviation of the weights with init = normal."));
    keys.push_back(plainKey("model.init_from", "safetensors file", in(&S::initFrom), isOneLine,
        "File whose tensors, by their names, are the initial parameters and buffers instead."));
    keys.push_back(plainKey("model.batchnorm_momentum", "number above 0, at most 1, or corrected",
        in(&S::batchnormMomentum), isBatchNormMomentum,
        "Weight of each micro-batch in BatchNorm's running statistics; corrected takes "
        "1 − 0.9^(1/N), so that a window of N micro-batches weighs 0.1, as one batch would."));
    keys.push_back(plainKey("model.batchnorm_window", kYesOrNo, in(&S::batchnormWindow),
        isAnything<bool>,
        "Whether BatchNorm's running statistics take up each window once, by mean and variance of "
        "all that the layer was given in it, instead of each micro-batch."));
    keys.push_back(
        plainKey("model.batchnorm_precise", kYesOrNo, in(&S::batchnormPrecise), isAnything<bool>,
            "Whether BatchNorm's running statistics are recomputed from training samples with the "
            "parameters as they are before each evaluation."));
}

void addBatchKeys(std::vector<Key>& keys)
{
    using S = BatchSettings;
    const auto in = [](auto member) { return field(&Experiment::batch, member); };
    keys.push_back(batchNumberKey("batch.effective", std::string("auto"), in(&S::effective),
        "Effective batch B: samples in one update; auto is b × N × W."));
    keys.push_back(batchNumberKey("batch.micro", std::int64_t { 32 }, in(&S::micro),
        "Micro-batch b: samples in one forward and backward pass; this is what costs memory."));
    keys.push_back(batchNumberKey("batch.steps", std::int64_t { 4 }, in(&S::steps),
        "Accumulation steps N: micro-batches whose gradients are added before one update."));
    keys.push_back(batchNumberKey("batch.devices", std::int64_t { 1 }, in(&S::devices),
        "Devices W that share a window; only 1 is available."));
    keys.push_back(choiceKey("batch.reduction", { "mean", "sum" }, in(&S::reduction),
        "How a sample's gradient is weighted: mean weighs each by 1 / samples in its window, sum "
        "by 1 / samples in its micro-batch, which adds the micro-batches' means."));
    keys.push_back(choiceKey("batch.tail", { "flush", "drop", "carry" }, in(&S::tail),
        "What happens to the samples that end an epoch without filling a window: flush updates "
        "with their true weights, drop leaves them out, carry lets the next epoch fill it."));
    keys.push_back(plainKey("batch.schedule", kStepsFromList, in(&S::schedule), isStepsSchedule,
        "Accumulation steps that change while the run trains; batch.effective must then be auto."));
}

void addOptimizerKeys(std::vector<Key>& keys)
{
    using S = OptimizerSettings;
    const auto in = [](auto member) { return field(&Experiment::optimizer, member); };
    keys.push_back(choiceKey("optimizer.name", { "sgd", "adam", "adamw" }, in(&S::name),
        "Rule that turns the accumulated gradient into an update."));
    keys.push_back(plainKey("optimizer.lr", "number above 0, at most 1e9", in(&S::lr),
        isLearningRate, "Learning rate of one update, before the schedule."));
    keys.push_back(plainKey(
        "optimizer.momentum", kShare, in(&S::momentum), isShare, "Momentum of sgd; 0 is none."));
    keys.push_back(plainKey("optimizer.nesterov", kYesOrNo, in(&S::nesterov), isAnything<bool>,
        "Nesterov's momentum in sgd; needs momentum above 0 and dampening 0."));
    keys.push_back(plainKey("optimizer.dampening", kShare, in(&S::dampening), isShare,
        "Share of a new gradient that sgd's momentum leaves out."));
    keys.push_back(plainKey("optimizer.weight_decay", "number from 0 to 1e6", in(&S::weightDecay),
        isDecay, "Weight decay: L2 in sgd and adam, decoupled in adamw."));
    keys.push_back(plainKey("optimizer.beta1", kShareBelowOne, in(&S::beta1), isShareBelowOne,
        "Decay of the mean of gradients in adam and adamw."));
    keys.push_back(plainKey("optimizer.beta2", kShareBelowOne, in(&S::beta2), isShareBelowOne,
        "Decay of the mean of squared gradients in adam and adamw."));
    keys.push_back(plainKey("optimizer.eps", "number, 1e-30 or more", in(&S::eps), isEpsilon,
        "Added to the denominator in adam and adamw, against division by zero."));
    keys.push_back(plainKey("optimizer.decay_norm_and_bias", kYesOrNo, in(&S::decayNormAndBias),
        isAnything<bool>, "Whether weight decay reaches normalisation layers and biases too."));
    keys.push_back(plainKey("optimizer.clip_norm", kLimit, in(&S::clipNorm), isLimit,
        "Largest L2 norm of the gradient over all parameters; 0 is off."));
    keys.push_back(plainKey("optimizer.clip_value", kLimit, in(&S::clipValue), isLimit,
        "Largest size of each element of the gradient, after clip_norm; 0 is off."));
    keys.push_back(plainKey("optimizer.ema", kShareBelowOne, in(&S::ema), isShareBelowOne,
        "Decay of an exponential moving average of the parameters, one update a step; 0 is off."));
    keys.push_back(choiceKey("optimizer.lr_rule", { "none", "linear", "sqrt" }, in(&S::lrRule),
        "How the learning rate follows batch.schedule: not at all, with the accumulation steps, "
        "or with their square root."));
}

void addScheduleKeys(std::vector<Key>& keys)
{
    using S = ScheduleSettings;
    const auto in = [](auto member) { return field(&Experiment::schedule, member); };
    keys.push_back(choiceKey("schedule.name",
        { "constant", "cosine", "linear", "step", "multistep", "onecycle" }, in(&S::name),
        "How the learning rate moves over the run, one step an update."));
    keys.push_back(plainKey("schedule.final_factor", kShare, in(&S::finalFactor), isShare,
        "Last learning rate of cosine, linear and onecycle as a share of optimizer.lr."));
    keys.push_back(plainKey("schedule.every",
        "text such as \"30 epochs\" or \"500 steps\", at most 1000000000 of them; no minutes",
        in(&S::every), isSpanOfUpdates, "How often the learning rate of step falls."));
    keys.push_back(plainKey("schedule.milestones", kMilestones, in(&S::milestones), isMilestones,
        "When the learning rate of multistep falls, from the run's beginning."));
    keys.push_back(plainKey("schedule.gamma", kShare, in(&S::gamma), isShare,
        "What each fall of step and multistep multiplies the learning rate by."));
    keys.push_back(plainKey("schedule.peak_share", kShare, in(&S::peakShare), isShare,
        "Share of the run before the peak of onecycle."));
    keys.push_back(plainKey("schedule.warmup_steps", kCountOrZero, in(&S::warmupSteps),
        isCountOrZero, "Updates over which the learning rate rises to its full value."));
    keys.push_back(plainKey("schedule.warmup_epochs", kCountOrZero, in(&S::warmupEpochs),
        isCountOrZero, "The same in epochs; added to warmup_steps."));
}

void addRunKeys(std::vector<Key>& keys)
{
    using S = RunSettings;
    const auto in = [](auto member) { return field(&Experiment::run, member); };
    keys.push_back(
        plainKey("run.epochs", kCount, in(&S::epochs), isCount, "Passes over the training set."));
    keys.push_back(plainKey("run.limit_steps", kCountOrZero, in(&S::limitSteps), isCountOrZero,
        "Updates after which the run ends, whatever the epochs; 0 is no limit."));
    keys.push_back(plainKey("run.seed", kSeed, in(&S::seed), isSeed,
        "Seed of the parameters and of the order of samples."));
    keys.push_back(plainKey("run.device", "auto, cpu, cuda or cuda:NUMBER", in(&S::device),
        isDevice, "Where the run computes; auto takes the first CUDA device, otherwise the CPU."));
    keys.push_back(plainKey("run.threads", kCountOrAuto, in(&S::threads), isCountOrAuto,
        "Threads that compute on the CPU; auto chooses, and the choice is stored with the run."));
    keys.push_back(choiceKey("run.precision", { "float32", "float64", "bfloat16", "float16" },
        in(&S::precision),
        "Type of forward and backward; with bfloat16 and float16 parameters and gradients stay in "
        "float32, and with float16 the loss is scaled as its overflows allow."));
    keys.push_back(plainKey("run.deterministic", kYesOrNo, in(&S::deterministic), isAnything<bool>,
        "Whether only algorithms may be used that give the same bits each time; can be slower on "
        "CUDA."));
    keys.push_back(plainKey("run.tf32", kYesOrNo, in(&S::tf32), isAnything<bool>,
        "Whether float32 products on CUDA may be rounded to TF32, which is faster."));
    keys.push_back(choiceKey("run.memory_format", { "auto", "contiguous", "channels_last" },
        in(&S::memoryFormat),
        "Order of pictures and convolutions in memory; auto takes the faster one, and the choice "
        "is stored with the run."));
    keys.push_back(plainKey("run.evaluate_every", kSpanText, in(&S::evaluateEvery), isSpan,
        "How often the test set is evaluated."));
    keys.push_back(plainKey("run.evaluation_batch", kCount, in(&S::evaluationBatch), isCount,
        "Samples in one forward pass of an evaluation."));
    keys.push_back(choiceKey("run.not_finite", { "end", "skip" }, in(&S::notFinite),
        "What a loss or gradient that is not finite does: end the run as diverged, or skip the "
        "window and go on."));
}

void addCheckpointKeys(std::vector<Key>& keys)
{
    using S = CheckpointSettings;
    const auto in = [](auto member) { return field(&Experiment::checkpoint, member); };
    keys.push_back(plainKey("checkpoint.every", kSpanText, in(&S::every), isSpan,
        "How often everything that a run needs to go on is saved; also when it ends or is "
        "stopped."));
    keys.push_back(plainKey("checkpoint.keep", kCount, in(&S::keep), isCount,
        "How many of the latest checkpoints are kept."));
    keys.push_back(plainKey("checkpoint.best", kYesOrNo, in(&S::best), isAnything<bool>,
        "Whether the checkpoint with the best evaluation is kept, too."));
}

void addMemoryKeys(std::vector<Key>& keys)
{
    using S = MemorySettings;
    const auto in = [](auto member) { return field(&Experiment::memory, member); };
    keys.push_back(choiceKey("memory.metering", { "off", "window", "full" }, in(&S::metering),
        "How closely memory is measured: the peak of each window only, the phases of each window, "
        "or every micro-batch with what each layer holds."));
    keys.push_back(plainKey("memory.budget",
        "bytes with a unit such as 4GiB or 500MB, from 1B to 1024TiB, or none", in(&S::budget),
        isBudget,
        "Memory that the device may give to the run, as a card of that size would; none is all it "
        "has. A card sold as one of 4 GB has 4GiB; 4GB is 3.73GiB."));
}

void addTraceKeys(std::vector<Key>& keys)
{
    using S = TraceSettings;
    const auto in = [](auto member) { return field(&Experiment::trace, member); };
    keys.push_back(plainKey("trace.parameters", "parameter name, or first", in(&S::parameters),
        isOneLine,
        "Parameter whose checksum and first values are logged after every micro-batch; first is "
        "the model's first one, empty is none."));
}

Key nameKey()
{
    const auto at = [](auto& e) -> auto&
    {
        return e.name;
    };
    Key key = plainKey("name",
        "one line of text, at most " + std::to_string(kLongestRunName) + " characters", at,
        isRunName, "What the run is called.");
    key.info.fallback = "the recipe's file name";
    // A recipe that is silent takes its file's name, so an experiment's own name is always said.
    key.spoken = [](const Experiment&) { return true; };
    return key;
}

std::vector<Key> makeTable()
{
    std::vector<Key> keys { nameKey() };
    addDataKeys(keys);
    addModelKeys(keys);
    addBatchKeys(keys);
    addOptimizerKeys(keys);
    addScheduleKeys(keys);
    addRunKeys(keys);
    addCheckpointKeys(keys);
    addMemoryKeys(keys);
    addTraceKeys(keys);
    return keys;
}

const std::vector<std::string>& keyNames()
{
    static const std::vector<std::string> all = [] {
        std::vector<std::string> names;
        for (const Key& key : keyTable())
            names.push_back(key.info.key);
        return names;
    }();
    return all;
}

} // namespace

const std::vector<Key>& keyTable()
{
    static const std::vector<Key> table = makeTable();
    return table;
}

const Key* findKey(std::string_view key)
{
    for (const Key& known : keyTable())
        if (known.info.key == key)
            return &known;
    return nullptr;
}

Finding unknownKey(std::string_view key, int line)
{
    const std::string nearest = nearestOf(key, keyNames());
    const std::string hint =
        nearest.empty() ? "docs/recipes.md lists all keys." : "did you mean " + nearest + "?";
    return { Finding::Severity::Error, std::string(key), line,
        shortened(key) + " is an unknown key; " + hint };
}

std::optional<Finding> setKey(
    Experiment& experiment, std::string_view key, const WrittenValue& value, int line)
{
    const Key* known = findKey(key);
    if (!known)
        return unknownKey(key, line);
    if (known->set(experiment, value))
        return {};
    const bool quoted = std::holds_alternative<std::string>(value.value) && !value.bare;
    return Finding { Finding::Severity::Error, known->info.key, line,
        known->info.key + " is " + value.shown + (quoted && !known->isText ? " (text)" : "")
            + "; allowed: " + known->info.allowed + "." };
}

std::optional<Finding> rangeFinding(const Experiment& experiment, const Key& key)
{
    if (key.inRange(experiment))
        return {};
    return Finding { Finding::Severity::Error, key.info.key, 0,
        key.info.key + " is " + shortened(key.toml(experiment)) + "; allowed: " + key.info.allowed
            + "." };
}

const std::vector<KeyInfo>& experimentKeys()
{
    static const std::vector<KeyInfo> infos = [] {
        std::vector<KeyInfo> all;
        for (const Key& key : keyTable())
            all.push_back(key.info);
        return all;
    }();
    return infos;
}

Settings settingsOf(const Experiment& experiment)
{
    Settings settings;
    for (const Key& key : keyTable())
        settings.emplace_back(key.info.key, key.get(experiment));
    return settings;
}

std::optional<SettingValue> settingOf(const Experiment& experiment, std::string_view key)
{
    const Key* known = findKey(key);
    return known ? std::optional(known->get(experiment)) : std::nullopt;
}

std::string settingText(const SettingValue& value)
{
    if (const bool* yes = std::get_if<bool>(&value))
        return *yes ? "true" : "false";
    if (const std::int64_t* count = std::get_if<std::int64_t>(&value))
        return std::to_string(*count);
    if (const double* number = std::get_if<double>(&value))
        return exactNumber(*number);
    return std::get<std::string>(value);
}

std::string shownSetting(const SettingValue& value)
{
    const std::string text = settingText(value);
    return text.empty() ? "none" : text;
}

} // namespace accrue
