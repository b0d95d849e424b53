// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/session/reference_rows.h"

#include <string>

#include <QTest>

namespace accrue::test {
namespace {

const std::string kMlp = "model.name=mlp; model.widths=32,24; ";
const std::string kUneven = "batch.micro=24; batch.steps=5; ";
const std::string kSmall = "batch.micro=8; batch.steps=4; ";
const std::string kLarge = "batch.micro=16; batch.steps=8; "; // than 75 samples
const std::string kShared =
    "model.norm=batch; batch.effective=65; batch.micro=32; "; // 32 + 17 + 16
const std::string kGrowing =
    "batch.micro=16; batch.schedule=1 from epoch 0, 2 from epoch 1, 5 from epoch 2; ";
const std::string kSum = "batch.reduction=sum; optimizer.lr=0.002; ";
const std::string kDrop = "batch.tail=drop; ";
const std::string kCarry = "batch.tail=carry; ";
const std::string kAdam = "optimizer.name=adam; optimizer.lr=0.001; ";
const std::string kAdamW = "optimizer.name=adamw; optimizer.lr=0.001; ";
// Elements whose gradient is 0 in the first updates have a divisor of eps alone, which magnifies
// rounding; a larger eps leaves the comparison to the formula.
const std::string kRmsprop =
    "optimizer.name=rmsprop; optimizer.lr=0.001; optimizer.alpha=0.9; optimizer.eps=1e-4; ";
const std::string kDecay = "optimizer.weight_decay=0.01; ";
const std::string kWeightsOnly = kDecay + "optimizer.decay_norm_and_bias=false; ";
const std::string kBatch = "model.norm=batch; ";
const std::string kGroup = "model.norm=group; ";
const std::string kCorrected = kBatch + "model.batchnorm_momentum=corrected; ";
const std::string kWindow = kBatch + "model.batchnorm_window=true; ";
const std::string kPrecise = kBatch + "model.batchnorm_precise=true; ";
const std::string kEma = "optimizer.ema=0.9; ";
// Python lays its tensors out contiguously. The memory order decides in which order sums are taken,
// which float32 rows of deep networks do not forgive.
const std::string kContiguous = "run.memory_format=contiguous; ";
const std::string kVgg = kContiguous + "model.name=vgg; batch.micro=4; batch.steps=2; ";
const std::string kResNet = kContiguous + "model.name=resnet18; batch.micro=2; batch.steps=2; ";
const std::string kChannelsLast = "run.precision=float64; run.memory_format=channels_last; ";
const std::string kBFloat = "run.precision=bfloat16; ";
const std::string kGrowingBySteps =
    "batch.micro=16; batch.schedule=1 from step 0, 2 from step 3, 4 from step 9; ";

// Name, samples, settings.
std::vector<Training> combinations()
{
    return {
        // How samples fall into windows.
        { "lenet5, b 24 × N 5", 1000, kUneven },
        { "b 24 × N 5", 1000, kMlp + kUneven },
        { "b 24 × N 5, sum", 1000, kMlp + kUneven + kSum },
        { "b 24 × N 5, drop", 1000, kMlp + kUneven + kDrop },
        { "b 24 × N 5, drop, sum", 1000, kMlp + kUneven + kDrop + kSum },
        { "b 24 × N 5, carry", 1000, kMlp + kUneven + kCarry },
        { "b 24 × N 5, carry, sum", 1000, kMlp + kUneven + kCarry + kSum },
        { "carry to the end", 101, kMlp + kSmall + kCarry + "run.epochs=4" },
        { "carry to the end, sum", 101, kMlp + kSmall + kCarry + kSum + "run.epochs=4" },
        { "small epoch, flush", 75, kMlp + kLarge },
        { "small epoch, carry", 75, kMlp + kLarge + kCarry },
        { "small epoch, carry, sum", 75, kMlp + kLarge + kCarry + kSum },
        { "a last window of one sample", 97, kMlp + kSmall },
        { "B 100 in b 32", 330, kMlp + "batch.effective=100; batch.micro=32" },
        { "B 100 in b 32, sum", 330, kMlp + kSum + "batch.effective=100; batch.micro=32" },
        { "B 50 in N 6", 170, kMlp + "batch.effective=50; batch.steps=6" },
        { "b 1 × N 7", 60, kMlp + "batch.micro=1; batch.steps=7" },
        { "b 32 × N 1", 330, kMlp + "batch.steps=1" },
        { "order of the files", 330, kMlp + kUneven + "data.shuffle=false" },

        // N by schedule, and the rate that follows it.
        { "N by epoch", 130, kMlp + kGrowing },
        { "N by epoch, linear", 130, kMlp + kGrowing + "optimizer.lr_rule=linear" },
        { "N by epoch, sqrt, carry, sum", 130,
            kMlp + kGrowing + kCarry + kSum + "optimizer.lr_rule=sqrt" },
        { "N by step", 130,
            kMlp + "batch.micro=16; batch.schedule=4 from step 0, 1 from step 5, 3 from step 11" },
        { "N by step, linear, carry", 130,
            kMlp + kCarry + kGrowingBySteps + "optimizer.lr_rule=linear" },

        { "N by epoch, drop", 130, kMlp + kGrowing + kDrop },
        { "N by step, drop, sqrt, sum", 130,
            kMlp + kGrowingBySteps + kDrop + kSum + "optimizer.lr_rule=sqrt" },

        // Models and norms.
        { "lenet5, batch", 150, kSmall + kBatch },
        { "lenet5, batch, carry", 150, kSmall + kCarry + kBatch },
        { "lenet5, group, sum", 150, kSmall + kSum + kGroup },
        { "lenet5, two groups", 150, kSmall + kGroup + "model.groups=2" },
        { "lenet5, layer", 150, kSmall + "model.norm=layer" },
        { "lenet5, instance, carry", 150, kSmall + kCarry + "model.norm=instance" },
        { "lenet5, normal", 150, kSmall + "model.init=normal; model.init_sigma=0.1" },
        { "mlp, batch", 150, kMlp + kSmall + kBatch },
        { "mlp, batch, shared slices", 330, kMlp + kShared },
        { "mlp, batch, shared slices, sum", 330, kMlp + kShared + kSum },
        { "mlp, batch, shared slices, carry, sum", 291,
            kMlp + kShared + kCarry + kSum + "run.epochs=5" },
        { "mlp, four groups", 150, kMlp + kSmall + kGroup + "model.groups=4" },
        { "mlp, layer, sum", 150, kMlp + kSmall + kSum + "model.norm=layer" },
        { "mlp, one layer", 150, kSmall + "model.name=mlp; model.widths=20" },
        { "mlp, three layers", 150, kSmall + "model.name=mlp; model.widths=24,20,16" },
        { "weights of a file", 150, kMlp + kSmall + "model.init_from=mlp.safetensors" },
        { "lenet5, batch, weights of a file", 150,
            kSmall + kBatch + "model.init_from=lenet5.safetensors" },
        { .name = "vgg", .samples = 21, .settings = kVgg, .side = 16 },
        { .name = "vgg, group, channels last, float64",
            .samples = 21,
            .settings = kVgg + kGroup + kChannelsLast,
            .side = 16 },
        { .name = "vgg, batch, carry",
            .samples = 21,
            .settings = kVgg + kBatch + kCarry,
            .side = 16 },
        { .name = "vgg, group, drop",
            .samples = 21,
            .settings = kVgg + kGroup + kDrop,
            .side = 16 },
        { .name = "vgg, layer, decay",
            .samples = 21,
            .settings = kVgg + kDecay + "model.norm=layer",
            .side = 16 },
        { .name = "vgg, instance, sum",
            .samples = 21,
            .settings = kVgg + kSum + "model.norm=instance",
            .side = 24 },
        { .name = "resnet18, batch, corrected",
            .samples = 90,
            .settings = kResNet + kCorrected,
            .side = 40 },
        { .name = "resnet18, group", .samples = 90, .settings = kResNet + kGroup, .side = 32 },
        { .name = "resnet18 for small pictures, batch, carry, decay of weights only",
            .samples = 41,
            .settings = kResNet + kBatch + kCarry + kWeightsOnly + "model.stem=cifar",
            .side = 12 },
        { .name = "resnet18, group, channels last, float64",
            .samples = 90,
            .settings = kResNet + kGroup + kChannelsLast,
            .side = 32 },

        // What becomes of BatchNorm's statistics.
        { "corrected", 150, kMlp + kSmall + kCorrected },
        { "lenet5, corrected, sum", 150, kSmall + kCorrected + kSum },
        { "corrected, carry", 150, kMlp + kSmall + kCorrected + kCarry },
        { "corrected, small epoch, carry", 75, kMlp + kLarge + kCorrected + kCarry },
        { "corrected, N by epoch", 130, kMlp + kGrowing + kCorrected },
        { "corrected, shared slices, carry", 291,
            kMlp + kShared + kCorrected + kCarry + "run.epochs=5" },
        { "over the window", 150, kMlp + kSmall + kWindow },
        { "lenet5, over the window", 150, kSmall + kWindow },
        { "over the window, carry, sum", 150, kMlp + kSmall + kWindow + kCarry + kSum },
        { "over the window, b 24 × N 5", 1000, kMlp + kUneven + kWindow },
        { "over the window, N by step", 130, kMlp + kGrowingBySteps + kWindow },
        { "precise", 150, kMlp + kSmall + kPrecise },
        { "lenet5, precise, drop", 150, kSmall + kPrecise + kDrop },
        { "precise, over the window, carry", 150, kMlp + kSmall + kPrecise + kWindow + kCarry },
        { "precise, averaged", 150, kMlp + kSmall + kPrecise + kEma },

        // Clipping.
        { .name = "clip_norm",
            .samples = 150,
            .settings = kMlp + kSmall + "optimizer.clip_norm=0.5",
            .clips = Clips::Always },
        { .name = "clip_norm at some updates",
            .samples = 150,
            .settings = kMlp + kSmall + "optimizer.clip_norm=1.05",
            .clips = Clips::AtSome },
        { .name = "clip_norm, sum, carry",
            .samples = 150,
            .settings = kMlp + kSmall + kSum + kCarry + "optimizer.clip_norm=1",
            .clips = Clips::Always },
        { .name = "lenet5, clip_norm, decay",
            .samples = 150,
            .settings = kSmall + kDecay + "optimizer.clip_norm=0.2",
            .clips = Clips::Always },
        { .name = "clip_norm, adam",
            .samples = 150,
            .settings = kMlp + kSmall + kAdam + "optimizer.clip_norm=1.4",
            .clips = Clips::AtSome },
        { .name = "clip_value",
            .samples = 150,
            .settings = kMlp + kSmall + "optimizer.clip_value=0.01",
            .clips = Clips::Always },
        { .name = "clip_value at some updates",
            .samples = 150,
            .settings = kMlp + kSmall + "optimizer.clip_value=0.1",
            .clips = Clips::AtSome },
        { .name = "clip_norm and clip_value, adamw, decay",
            .samples = 150,
            .settings = kMlp + kSmall + kAdamW + kDecay
                + "optimizer.clip_norm=1; optimizer.clip_value=0.02",
            .clips = Clips::Always },

        // Optimizers.
        { "sgd", 150, kMlp + kSmall + "optimizer.momentum=0" },
        { "sgd, decay", 150, kMlp + kSmall + kDecay + "optimizer.momentum=0" },
        { "sgd, dampening", 150, kMlp + kSmall + "optimizer.dampening=0.3" },
        { "sgd, nesterov, decay", 150, kMlp + kSmall + kDecay + "optimizer.nesterov=true" },
        { "adam", 150, kMlp + kSmall + kAdam },
        { "adam, sum, carry", 150, kMlp + kSmall + kSum + kCarry + kAdam },
        { "adam, decay, other betas", 150,
            kMlp + kSmall + kAdam + kDecay
                + "optimizer.beta1=0.8; optimizer.beta2=0.95; optimizer.eps=1e-6" },
        { "adamw, decay", 150, kMlp + kSmall + kAdamW + kDecay },
        { "lenet5, adam", 150, kSmall + kAdam },
        { "lenet5, adam, batch, float64", 150,
            kSmall + kAdam + kBatch + "optimizer.eps=1e-3; run.precision=float64" },
        { "adam, amsgrad, carry", 150,
            kMlp + kSmall + kAdam + kCarry + "optimizer.amsgrad=true; optimizer.beta2=0.6" },
        { "lenet5, adamw, amsgrad, decay of weights only", 150,
            kSmall + kAdamW + kWeightsOnly + "optimizer.amsgrad=true; optimizer.beta2=0.9" },
        { "rmsprop", 150, kMlp + kSmall + kRmsprop },
        { "rmsprop, without momentum, sum, carry", 150,
            kMlp + kSmall + kSum + kCarry + kRmsprop + "optimizer.momentum=0" },
        { "rmsprop, centered, decay of weights only", 150,
            kMlp + kSmall + kRmsprop + kWeightsOnly + "optimizer.centered=true" },
        { "lenet5, rmsprop, group, cosine", 150,
            kSmall + kGroup + kRmsprop + "schedule.name=cosine" },
        { "lenet5, adamw, group, decay", 150, kSmall + kAdamW + kDecay + kGroup },
        { "decay of weights only", 150, kMlp + kSmall + kWeightsOnly },
        { "lenet5, batch, nesterov, decay of weights only", 150,
            kSmall + kBatch + kWeightsOnly + "optimizer.nesterov=true" },
        { "lenet5, group, adamw, decay of weights only", 150,
            kSmall + kGroup + kAdamW + kWeightsOnly },
        { "adam, decay of weights only, carry", 150,
            kMlp + kSmall + kAdam + kWeightsOnly + kCarry },
        { "averaged", 150, kMlp + kSmall + kEma },
        { "averaged, b 24 × N 5, carry", 1000, kMlp + kUneven + kCarry + kEma },
        { "averaged, adamw, cosine", 150, kMlp + kSmall + kAdamW + kEma + "schedule.name=cosine" },
        { "lenet5, batch, averaged, slowly", 150, kSmall + kBatch + "optimizer.ema=0.999" },

        // In bfloat16; parameters, gradients and their sum are float32.
        { "bfloat16", 150, kMlp + kSmall + kBFloat },
        { "bfloat16, b 24 × N 5, carry, sum", 1000, kMlp + kUneven + kBFloat + kCarry + kSum },
        { .name = "bfloat16, corrected, clip_norm",
            .samples = 150,
            .settings = kMlp + kSmall + kBFloat + kCorrected + "optimizer.clip_norm=0.5",
            .clips = Clips::Always },
        { "bfloat16, lenet5", 150, kSmall + kBFloat },
        { "bfloat16, lenet5, batch", 150, kSmall + kBFloat + kBatch },
        { "bfloat16, lenet5, group, drop, averaged", 150,
            kSmall + kBFloat + kGroup + kDrop + kEma },
        { "bfloat16, adam", 150, kMlp + kSmall + kBFloat + kAdam },
        { "bfloat16, lenet5, group, adamw, decay", 150,
            kSmall + kBFloat + kGroup + kAdamW + kDecay },
        { .name = "bfloat16, vgg, batch, over the window",
            .samples = 21,
            .settings = kVgg + kBFloat + kWindow,
            .side = 16 },
        { .name = "bfloat16, vgg, group",
            .samples = 21,
            .settings = kVgg + kBFloat + kGroup,
            .side = 16 },

        // Schedules of the rate.
        { "warm-up", 150, kMlp + kSmall + "schedule.warmup_steps=7" },
        { "warm-up of an epoch and 2 steps", 150,
            kMlp + kSmall + "schedule.warmup_epochs=1; schedule.warmup_steps=2" },
        { "cosine", 150, kMlp + kSmall + "schedule.name=cosine" },
        { "cosine, warm-up, adamw, carry", 150,
            kMlp + kSmall + kCarry + kAdamW
                + "schedule.name=cosine; schedule.final_factor=0.1; schedule.warmup_steps=5" },
        { "warm-up of 2 epochs, carry", 150, kMlp + kSmall + kCarry + "schedule.warmup_epochs=2" },
        { "warm-up of an epoch, carry, onecycle", 150,
            kMlp + kSmall + kCarry
                + "schedule.warmup_epochs=1; schedule.name=onecycle; schedule.final_factor=0.1" },
        { "linear, drop", 150, kMlp + kSmall + kDrop + "schedule.name=linear" },
        { "step by epochs, carry", 150,
            kMlp + kSmall + kCarry
                + "schedule.name=step; schedule.every=1 epoch; schedule.gamma=0.5" },
        { "multistep, warm-up", 150,
            kMlp + kSmall
                + "schedule.name=multistep; schedule.milestones=1 epoch,9 steps,3 epochs; "
                  "schedule.gamma=0.3; schedule.warmup_steps=4" },
    };
}

} // namespace

std::vector<Training> combinationsInEachPrecision()
{
    std::vector<Training> all;
    for (const Training& training : combinations()) {
        const bool named = training.settings.find("run.precision") != std::string::npos;
        if (named)
            all.push_back(training);
        for (const std::string precision : { "float64", "float32" })
            if (!named) {
                all.push_back(training);
                all.back().name += ", " + precision;
                all.back().settings = "run.precision=" + precision + "; " + training.settings;
            }
    }
    return all;
}

std::vector<Training> publishedDefects()
{
    const std::string mlp = "run.precision=float64; optimizer.lr=0.05; " + kMlp;
    return {
        { "windows of N - 1", 128, mlp + kSmall + kDrop, "steps at idx % (N - 1)" },
        { "leak into the next epoch", 152, mlp + kSmall + kDrop, "left-over gradients leak" },
        { "counter of the run", 150, mlp + kSmall + kCarry, "counter runs across epochs" },
        { "mean of means", 1000, mlp + kUneven, "mean of means" },
        { "sum", 128, mlp + kSmall, "sum without division" },
        { "loss += loss / N", 128, mlp + kSmall, "adds where it should divide" },
        { .name = "clip_norm",
            .samples = 128,
            .settings = mlp + kSmall + "optimizer.clip_norm=0.5",
            .defect = "clip_norm is never used",
            .clips = Clips::Always },
    };
}

std::vector<Training> otherOrders()
{
    const std::string all = "run.precision=float64; optimizer.lr=0.05; " + kMlp + kSmall + kCarry
        + kEma + kWeightsOnly
        + "optimizer.nesterov=true; optimizer.clip_norm=1.2; optimizer.clip_value=0.05; "
          "schedule.name=cosine; schedule.warmup_epochs=1";
    std::vector<Training> trainings;
    for (const char* order : { "clips by value first", "measures what is clipped",
             "clips each micro-batch", "averages before the step", "averages each micro-batch",
             "schedule moves each micro-batch" })
        trainings.push_back({ .name = order,
            .samples = 150,
            .settings = all,
            .defect = order,
            .clips = Clips::Always });
    return trainings;
}

void addRows(const std::vector<Training>& trainings)
{
    QTest::addColumn<std::size_t>("row");
    for (std::size_t row = 0; row < trainings.size(); ++row)
        QTest::newRow(trainings[row].name.c_str()) << row;
}

} // namespace accrue::test
