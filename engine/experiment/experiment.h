// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// What a user requests, as written: nothing here is solved or checked yet. `validate`
// (validation.h) decides whether it can run, `solveBatch` (batch_plan.h) turns the batch numbers
// into a plan. One member per key of docs/recipes.md; a member's default is the key's default. A
// value type: copy it freely, pass it to any thread.

// One of B, b, N, W. Unset: the recipe leaves it out, so numbers given elsewhere override the key's
// default. Auto: the recipe requests that it be solved. All, of W alone: every CUDA device.
struct BatchNumber {
    enum class Kind { Unset, Auto, Given, All };
    Kind kind = Kind::Unset;
    // Of Given. Of All, how many there are (withDevicesFound of resolved.h); 0: not known yet.
    std::int64_t value = 0;

    static BatchNumber given(std::int64_t value) { return { Kind::Given, value }; }
    static BatchNumber solved() { return { Kind::Auto, 0 }; }
    static BatchNumber all() { return { Kind::All, 0 }; }
    bool isGiven() const { return kind == Kind::Given; }
    bool isAll() const { return kind == Kind::All; }
    // How many devices a machine has is no part of what was requested.
    friend bool operator==(const BatchNumber& a, const BatchNumber& b)
    {
        return a.kind == b.kind && (!a.isGiven() || a.value == b.value);
    }
};

enum class DataName {
    Digits, // built in, drawn by the program, needs no file
    Mnist, // the four published IDX files
    FashionMnist, // likewise
    Cifar10, // six binary files
    Cifar100, // two binary files, the fine labels
    Idx, // any four IDX files under MNIST's names
    Images, // folders of PNG, JPEG and WebP images by class
};
enum class Unreadable { // images that cannot be read
    Refuse, // the set, naming them
    Skip, // them, reporting how many
};
// How an image of a folder is resized to the common size (image_resize.h).
enum class PictureFit {
    Stretch, // without preserving the aspect ratio
    Crop, // scaled until it covers it, its middle cut out
    Letterbox, // scaled until it fits inside, the rest filled
};
enum class ModelName { LeNet5, Mlp, ResNet18, ResNet34, Vgg };
enum class Norm {
    None,
    Batch, // over a micro-batch, a channel at a time
    Group, // over a sample, a group of channels at a time
    Layer, // over a sample, all channels together
    Instance, // over a sample, a channel at a time
};
enum class Stem {
    ImageNet, // 7 × 7 with stride 2, then max-pool
    Cifar, // 3 × 3 with stride 1, for small images
};

// Weight of a new micro-batch in BatchNorm's running statistics; of a whole window if it is
// corrected.
struct BatchNormMomentum {
    double value = 0.1;
    bool corrected = false;

    static BatchNormMomentum correctedOne() { return { .corrected = true }; }
    friend bool operator==(const BatchNormMomentum&, const BatchNormMomentum&) = default;
};

enum class Initialisation {
    Torch, // as torch initialises each layer
    Normal, // weights N(0, init_sigma), biases 0
};
enum class Reduction {
    Mean, // every sample weighs 1 / samples in its window
    Sum, // 1 / size of its planned micro-batch: micro-batch means are added
};
// What happens to the samples that end an epoch without filling a window.
enum class Tail {
    Flush, // they form a smaller window with its true weights
    Drop, // they are left out of this epoch
    Carry, // they open a window that the next epoch fills; after the last epoch they are flushed
};
enum class LrRule { None, Linear, SquareRoot };

// One entry of batch.schedule: from this epoch or step on (both counted from 0), N is `steps`.
struct StepsFrom {
    enum class Unit { Epoch, Step };
    Unit unit = Unit::Epoch;
    std::int64_t from = 0;
    std::int64_t steps = 1;
    friend bool operator==(const StepsFrom&, const StepsFrom&) = default;
};
enum class OptimizerName { Sgd, Adam, AdamW, Rmsprop };
enum class ScheduleName { Constant, Cosine, Linear, Step, MultiStep, OneCycle };
enum class Precision {
    Float32,
    Float64,
    BFloat16, // forward and backward; parameters, gradients and their sum stay in float32
    Float16, // likewise, with a loss scale that follows overflows
};
enum class MemoryFormat { Auto, Contiguous, ChannelsLast };
enum class NotFinite {
    End, // the run ends as diverged and retains the last good parameters
    Skip, // the window is dropped, the run continues
};

// The normalisation of pixels scaled to 0..1: (pixel − mean) / deviation, one value per channel.
struct Normalization {
    enum class Kind {
        Auto, // Published if there is one, otherwise Measured
        Published, // the constants that the field uses for the set
        Measured, // on the images that are trained on
        Given,
    };
    Kind kind = Kind::Auto;
    std::vector<double> mean; // of Given
    std::vector<double> stddev;
    friend bool operator==(const Normalization&, const Normalization&) = default;
};

// Random changes to the training images, in this order (augmentation.h).
struct AugmentSettings {
    std::int64_t cropPadding = 0; // pixels; 0: no crop
    bool flip = false; // horizontal, of every second image
    std::int64_t cutoutSize = 0; // side in pixels; 0: no cutout
    friend bool operator==(const AugmentSettings&, const AugmentSettings&) = default;
};

// Samples that are held out of training, for validation or testing (held_out.h).
struct HeldOut {
    std::int64_t samples = 0;
    double share = 0; // of all that it is held out of; 0: `samples` counts
    friend bool operator==(const HeldOut&, const HeldOut&) = default;
};

struct PictureSize { // in pixels
    std::int64_t height = 0;
    std::int64_t width = 0;
    friend bool operator==(const PictureSize&, const PictureSize&) = default;
};

struct DataSettings {
    DataName name = DataName::Digits;
    std::string path; // empty: searched in the data directories
    std::optional<PictureSize> imageSize; // of Images; nullopt: auto
    PictureFit fit = PictureFit::Stretch; // of Images
    Unreadable unreadable = Unreadable::Refuse;
    HeldOut test; // of Images without a test part
    HeldOut validation;
    Normalization normalize;
    AugmentSettings augment;
    bool shuffle = true;
    friend bool operator==(const DataSettings&, const DataSettings&) = default;
};

struct ModelSettings {
    ModelName name = ModelName::LeNet5;
    Norm norm = Norm::None;
    std::optional<std::int64_t> groups; // nullopt: auto
    std::vector<std::int64_t> widths { 512, 512 }; // of mlp's hidden layers
    Stem stem = Stem::ImageNet; // of residual networks
    Initialisation init = Initialisation::Torch;
    double initSigma = 0.02;
    std::string initFrom; // a safetensors file; empty: `init` applies
    BatchNormMomentum batchnormMomentum;
    bool batchnormWindow = false; // running statistics of the whole window, updated once per window
    bool batchnormPrecise = false; // running statistics recomputed before an evaluation
    bool batchnormSync = false; // normalised by the micro-batches of all devices
    friend bool operator==(const ModelSettings&, const ModelSettings&) = default;
};

struct BatchSettings {
    BatchNumber effective; // B; default auto
    BatchNumber micro; // b; default 32
    BatchNumber steps; // N; default 4
    BatchNumber devices; // W; default 1, may be All
    Reduction reduction = Reduction::Mean;
    Tail tail = Tail::Flush;
    std::vector<StepsFrom> schedule; // empty: N is `steps` throughout
    friend bool operator==(const BatchSettings&, const BatchSettings&) = default;
};

// For the key, and for any rate that a run uses: beyond it an update can exceed float32.
inline constexpr double kLargestLearningRate = 1e9;

struct OptimizerSettings {
    OptimizerName name = OptimizerName::Sgd;
    double lr = 0.01;
    double momentum = 0.9; // sgd, rmsprop
    bool nesterov = false; // sgd
    double dampening = 0.0; // sgd
    double weightDecay = 0.0; // decoupled in adamw, otherwise L2
    double beta1 = 0.9; // adam, adamw
    double beta2 = 0.999; // adam, adamw
    bool amsgrad = false; // adam, adamw
    double alpha = 0.99; // rmsprop
    bool centered = false; // rmsprop
    double eps = 1e-8; // adam, adamw, rmsprop
    bool decayNormAndBias = true; // whether weight decay reaches normalisation layers and biases
    double clipNorm = 0.0; // largest L2 norm of the gradient; 0: off
    double clipValue = 0.0; // largest element of the gradient; 0: off
    double ema = 0.0; // decay of the average of the parameters; 0: off
    LrRule lrRule = LrRule::None; // how the rate follows batch.schedule
    friend bool operator==(const OptimizerSettings&, const OptimizerSettings&) = default;
};

// An amount of memory, as text `"4GiB"`.
struct Bytes {
    std::int64_t count = 0;
    friend bool operator==(const Bytes&, const Bytes&) = default;
};

// A length of training, as text `"1 epoch"`, `"500 steps"`, `"10 minutes"`.
struct Span {
    enum class Unit { Epochs, Steps, Minutes };
    double count = 1;
    Unit unit = Unit::Epochs;
    friend bool operator==(const Span&, const Span&) = default;
};

struct ScheduleSettings {
    ScheduleName name = ScheduleName::Constant;
    double finalFactor = 0.0; // cosine, linear, onecycle: last rate as a share of optimizer.lr
    Span every { 30, Span::Unit::Epochs }; // step; epochs or steps
    std::vector<Span> milestones {}; // multistep; epochs or steps, ascending
    double gamma = 0.1; // step, multistep: factor of each decay
    double peakShare = 0.3; // onecycle: share of the run before the peak
    std::int64_t warmupSteps = 0;
    std::int64_t warmupEpochs = 0; // added to warmupSteps
    friend bool operator==(const ScheduleSettings&, const ScheduleSettings&) = default;
};

struct RunSettings {
    std::int64_t epochs = 10;
    std::int64_t limitSteps = 0; // 0: no limit
    std::uint64_t seed = 1;
    std::string device = "auto"; // auto, cpu, cuda, cuda:1
    std::optional<std::int64_t> threads; // nullopt: auto
    Precision precision = Precision::Float32;
    bool deterministic = false; // only algorithms that give the same bits each time
    bool tf32 = false; // float32 products on CUDA may be rounded to TF32
    MemoryFormat memoryFormat = MemoryFormat::Auto; // of images and convolutions
    Span evaluateEvery;
    std::int64_t evaluationBatch = 512; // samples in a forward pass of an evaluation
    NotFinite notFinite = NotFinite::End;
    std::string stopWhen; // "test_accuracy >= 0.99"; the run ends once it is true; empty: never
    std::int64_t patience = 0; // evaluations without a new best after which it ends; 0: never
    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

struct CheckpointSettings {
    Span every { 10, Span::Unit::Minutes };
    std::int64_t keep = 2; // of the latest
    bool best = true; // also the one that evaluated best
    friend bool operator==(const CheckpointSettings&, const CheckpointSettings&) = default;
};

enum class Metering {
    Off, // no more than the peak of each window
    Window, // the phases of a window, of each the micro-batch with the highest peak
    Full, // the phases of every micro-batch, with what each layer and operator holds
};

struct MemorySettings {
    Metering metering = Metering::Window;
    // Memory of the device that the run may use, as on a card of that size; none: all of it.
    std::optional<Bytes> budget;
    friend bool operator==(const MemorySettings&, const MemorySettings&) = default;
};

struct TraceSettings {
    std::string parameters; // one parameter's name; empty: none
    bool updateRatio = false; // the metric update_ratio is measured
    // How often histograms of all parameters and gradients are logged; nullopt: off.
    std::optional<Span> histograms;
    friend bool operator==(const TraceSettings&, const TraceSettings&) = default;
};

// A time to wait, as text `"5 minutes"`, `"30 seconds"`.
struct TimeSpan {
    enum class Unit { Seconds, Minutes };
    double count = 0;
    Unit unit = Unit::Seconds;
    double seconds() const { return unit == Unit::Minutes ? 60 * count : count; }
    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

// When the gradients of several devices are added up.
enum class Synchronize {
    Window, // once, after the last micro-batch
    MicroBatch, // after each
};

// What each of several devices has a part of, instead of the whole.
enum class Shard {
    None,
    Optimizer, // its state
    Parameters, // also the parameters and their gradients
};

// nullopt: auto, that of the largest layer.
struct ChunkSize {
    std::optional<Bytes> bytes;
    friend bool operator==(const ChunkSize&, const ChunkSize&) = default;
};

struct DistributedSettings {
    Synchronize synchronize = Synchronize::Window;
    Shard shard = Shard::None;
    ChunkSize chunk; // of parameters that are gathered at once
    // That parameters, gradients and optimizer state may take; others are on the host. None: all.
    std::optional<Bytes> deviceMemory;
    // After which a rank that does not answer counts as lost.
    TimeSpan timeout { 5, TimeSpan::Unit::Minutes };
    friend bool operator==(const DistributedSettings&, const DistributedSettings&) = default;
};

struct Experiment {
    std::string name;
    DataSettings data;
    ModelSettings model;
    BatchSettings batch;
    OptimizerSettings optimizer;
    ScheduleSettings schedule;
    RunSettings run;
    CheckpointSettings checkpoint;
    MemorySettings memory;
    TraceSettings trace;
    DistributedSettings distributed;
    friend bool operator==(const Experiment&, const Experiment&) = default;
};

} // namespace accrue
