// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/key_names.h"
#include "engine/experiment/key_value.h"
#include "engine/experiment/models.h"

// How long, where and how exactly a run computes, and what it saves and measures meanwhile. Most of
// these keys do not change an update, so most of them may change when a run is resumed (KeyChange).
namespace accrue {

namespace {

KeyCondition withFloat32()
{
    return { [](const Experiment& e) { return e.run.precision == Precision::Float32; },
        usedOnlyWith(key::runPrecision, Message::plain("\"float32\"")), KeyCondition::Row::Shown };
}

KeyCondition onCuda()
{
    return { [](const Experiment& e) { return e.run.device != "cpu"; },
        Message("setting.only_on_cuda"), KeyCondition::Row::Shown };
}

// What a device has a part of, no device has the histogram of.
KeyCondition withWholeParameters()
{
    const KeyCondition several = onSeveralDevices();
    return { [several](const Experiment& e) {
                return e.distributed.shard == Shard::None
                    || !(several.holds(e) || e.distributed.deviceMemory);
            },
        usedOnlyWith(key::distributedShard, Message::plain("\"none\"")),
        KeyCondition::Row::Greyed };
}

// A network that only receives vectors has none, so the layout of images does not affect it.
KeyCondition withConvolutions()
{
    return { [](const Experiment& e) {
                return modelInfo(e.model.name).seen(e.model) != ModelInfo::Seen::One;
            },
        Message("setting.no_convolutions"), KeyCondition::Row::Shown };
}

using R = RunSettings;

constexpr auto inRun = [](auto member) { return field(&Experiment::run, member); };

// A resumed run may get another length; see checkLength of resumed_settings.h.
std::vector<KeyInfo> length()
{
    return {
        {
            .key = key::runEpochs,
            .label = "Epochs",
            .help = "Passes over the training set.",
            .memory = MemoryEffect::None,
            .change = KeyChange::OnResume,
            .value = value(inRun(&R::epochs), kCount),
        },
        {
            .key = key::runLimitSteps,
            .label = "Max steps",
            .help = "Updates after which the run ends, whatever the number of epochs; 0 is no "
                    "limit.",
            .hint = "no limit",
            .unset = "0",
            .memory = MemoryEffect::None,
            .change = KeyChange::OnResume,
            .value = value(inRun(&R::limitSteps), kCountOrZero),
        },
        {
            // KeyChange::Never, the default: other initial parameters and another order are another
            // run.
            .key = key::runSeed,
            .label = "Seed",
            .help = "Seed of the initial parameters and of the order of samples.",
            .memory = MemoryEffect::None,
            .filter = "seed",
            .value = value(inRun(&R::seed), kSeed),
        },
    };
}

std::vector<KeyInfo> hardware()
{
    return {
        {
            .key = key::runDevice,
            .label = "Device",
            .help = "Device to compute on; `auto` is the first CUDA device, otherwise the CPU.",
            .memory = MemoryEffect::None, // its device is part of a model's fingerprint
            .change = KeyChange::Always,
            .choices = { { "auto", "The first CUDA device, otherwise the CPU" }, { "cpu", "CPU" } },
            .value = value(inRun(&R::device), kDevice),
        },
        {
            .key = key::runThreads,
            .label = "Threads",
            .help = "Threads that compute on the CPU; with `auto` Accrue chooses, and stores its "
                    "choice with the run.",
            .isAdvanced = true,
            .memory = MemoryEffect::Always,
            .change = KeyChange::Always,
            .choices = { { "auto", "Chosen before the run" }, { "1", "" }, { "2", "" },
                { "4", "" } },
            .value = value(inRun(&R::threads), kCountOrAuto),
        },
    };
}

std::vector<KeyInfo> arithmetic()
{
    return {
        {
            .key = key::runPrecision,
            .label = "Precision",
            .help = "Data type of the forward and backward passes; with `bfloat16` and `float16` "
                    "parameters and gradients are float32, and with `float16` the loss is scaled "
                    "to avoid underflow.",
            .memory = MemoryEffect::Always,
            .value = choice(inRun(&R::precision),
                { { "float32", "float32" }, { "float64", "float64" }, { "bfloat16", "bfloat16" },
                    { "float16", "float16 (CUDA)" } }),
        },
        {
            // The same sums in another order round differently, nothing more: it may differ between
            // two runs of one training, while a resumed run retains its value.
            .key = "run.deterministic",
            .label = "Deterministic algorithms",
            .help = "Whether to use only algorithms that give the same bits every time; they can "
                    "be slower on CUDA.",
            .isAdvanced = true,
            .memory = MemoryEffect::Always,
            .change = KeyChange::InOneTraining,
            .value = yesOrNo(inRun(&R::deterministic)),
        },
    };
}

// Both change rounding and speed, not what is computed.
std::vector<KeyInfo> speed()
{
    return {
        {
            .key = "run.tf32",
            .label = "TF32",
            .help = "Whether float32 products on CUDA may be rounded to TF32, which is faster.",
            .isAdvanced = true,
            .conditions = { withFloat32(), onCuda() },
            .memory = MemoryEffect::Always,
            .value = yesOrNo(inRun(&R::tf32)),
        },
        {
            .key = key::runMemoryFormat,
            .label = "Tensor layout",
            .help = "Order of images and convolutions in memory; with `auto` Accrue chooses the "
                    "faster one, and stores its choice with the run.",
            .isAdvanced = true,
            .conditions = { withConvolutions() },
            .memory = MemoryEffect::Always,
            .change = KeyChange::InOneTraining,
            .value = choice(inRun(&R::memoryFormat),
                { { "auto", "Automatic" }, { "contiguous", "Contiguous" },
                    { "channels_last", "Channels last" } }),
        },
    };
}

// No update depends on how often and in which portions a run evaluates.
std::vector<KeyInfo> evaluation()
{
    return {
        {
            .key = "run.evaluate_every",
            .label = "Evaluate every",
            .help = "How often the test set is evaluated.",
            .memory = MemoryEffect::None,
            .change = KeyChange::Always,
            .value = value(inRun(&R::evaluateEvery), kSpan),
        },
        {
            // The peak of evaluations is a line of the memory model, too.
            .key = "run.evaluation_batch",
            .label = "Evaluation batch",
            .help = "Samples in one forward pass of an evaluation.",
            .isAdvanced = true,
            .memory = MemoryEffect::Always,
            .change = KeyChange::Always,
            .value = value(inRun(&R::evaluationBatch), kCount),
        },
        {
            .key = "run.not_finite",
            .label = "On NaN or Inf",
            .help = "What happens when a loss or gradient is not finite: the run ends as diverged, "
                    "or the window is skipped and the run continues.",
            .isAdvanced = true,
            .memory = MemoryEffect::Always,
            .value = choice(
                inRun(&R::notFinite), { { "end", "Stop the run" }, { "skip", "Skip the step" } }),
        },
    };
}

// A run that ends early made the same updates until then.
std::vector<KeyInfo> earlyEnd()
{
    return {
        {
            .key = key::runStopWhen,
            .label = "Stop when",
            .help = "Condition that ends the run early, as completed: comparisons of metrics with "
                    "numbers, joined by `and`; empty is none.",
            .hint = "e.g. test_accuracy >= 0.9",
            .memory = MemoryEffect::None,
            .change = KeyChange::Always,
            .value = value(inRun(&R::stopWhen), kStopRule),
        },
        {
            .key = key::runPatience,
            .label = "Patience",
            .help = "Evaluations without a new best accuracy after which the run ends, as "
                    "completed; 0 is no limit.",
            .hint = "no limit",
            .unset = "0",
            .memory = MemoryEffect::None,
            .change = KeyChange::Always,
            .value = value(inRun(&R::patience), kCountOrZero),
        },
    };
}

std::vector<KeyInfo> keysOfCheckpoints()
{
    using S = CheckpointSettings;
    const auto in = [](auto member) { return field(&Experiment::checkpoint, member); };
    return {
        {
            .key = "checkpoint.every",
            .label = "Checkpoint every",
            .help = "How often to save everything that is needed to resume the run; the end of "
                    "the run is saved, too.",
            .value = value(in(&S::every), kSpan),
        },
        {
            .key = "checkpoint.keep",
            .label = "Checkpoints to keep",
            .help = "Number of the latest checkpoints to keep.",
            .isAdvanced = true,
            .value = value(in(&S::keep), kCount),
        },
        {
            .key = "checkpoint.best",
            .label = "Keep the best checkpoint",
            .help = "Whether to keep the checkpoint with the best evaluation, too.",
            .isAdvanced = true,
            .value = yesOrNo(in(&S::best)),
        },
    };
}

std::vector<KeyInfo> keysOfMemory()
{
    using S = MemorySettings;
    const auto in = [](auto member) { return field(&Experiment::memory, member); };
    return {
        {
            .key = "memory.metering",
            .label = "Memory profiling",
            .help = "Detail of the memory measurements: only the peak of each window, the phases "
                    "of each window, or every micro-batch with the memory of each layer.",
            .value = choice(in(&S::metering),
                { { "off", "Off" }, { "window", "Per window" }, { "full", "Per micro-batch" } }),
        },
        {
            // A memory model is valid for every limit; a proof for one budget names that budget
            // (MemoryProof).
            .key = key::memoryBudget,
            .label = "Memory budget",
            .help = "Memory of the device that the run may use, as on a card of that size; `none` "
                    "is all of it.",
            .hint = "none; e.g. 4GiB",
            .unset = "none",
            .value = value(in(&S::budget), kBudget),
        },
    };
}

std::vector<KeyInfo> keysOfTrace()
{
    using S = TraceSettings;
    const auto in = [](auto member) { return field(&Experiment::trace, member); };
    return {
        {
            .key = key::traceParameters,
            .label = "Trace parameter",
            .help = "Parameter whose checksum and first values are logged after every micro-batch; "
                    "`first` is the model's first parameter, empty is none.",
            .memory = MemoryEffect::Always,
            .change = KeyChange::InOneTraining,
            .value = value(in(&S::parameters), kParameterName),
        },
        {
            // Newer than the first memory models: WhereSet, so that those of versions without it
            // are found.
            .key = key::traceUpdateRatio,
            .label = "Log the update ratio",
            .help =
                "Whether the metric `update_ratio` is logged once per window: the L2 norm of the "
                "optimizer's update, divided by that of the parameters before it.",
            .holdsCopy = true,
            .change = KeyChange::Always,
            .value = yesOrNo(in(&S::updateRatio)),
        },
        {
            // Measured between windows: the memory model of a window has no part in it.
            .key = key::traceHistograms,
            .label = "Log histograms",
            .help = "How often histograms of all parameters and of their gradients are logged, "
                    "also after the first and the last update; `off` is never.",
            .hint = "off; e.g. 1 epoch",
            .unset = "off",
            .conditions = { withWholeParameters() },
            .memory = MemoryEffect::None,
            .change = KeyChange::Always,
            .value = value(in(&S::histograms), kSpanOrOff),
        },
    };
}

} // namespace

std::vector<KeyInfo> keysOfRun()
{
    // No update and no tensor of a window depends on them.
    const auto isBeside = [](KeyInfo& key) {
        key.memory = MemoryEffect::None;
        key.change = KeyChange::Always;
    };
    return together({ length(), hardware(), arithmetic(), speed(), evaluation(), earlyEnd(),
        sharing(keysOfCheckpoints(), isBeside), sharing(sharing(keysOfMemory(), isBeside), fold),
        sharing(keysOfTrace(), fold) });
}

} // namespace accrue
