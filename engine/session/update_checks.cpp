// SPDX-License-Identifier: Apache-2.0
#include "engine/session/update_checks.h"

#include <numeric>
#include <utility>

#include "engine/base/format.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/session/single_window.h"

namespace accrue {
namespace {

// Moves the parameters by about their own size. At a usual rate an update is a thousandth of them,
// and most of what is wrong with it would be lost where float32 adds it.
constexpr double kLearningRate = 64;

constexpr double kFloat64Limit = 1e-12;
constexpr double kFloat32Limit = 1e-5;
// Two devices differ by more than the split of a window: other algorithms, other orders of
// addition.
constexpr double kDeviceFloat64Limit = 1e-10;
constexpr double kDeviceFloat32Limit = 1e-4;
// Between bfloat16 in two implementations (docs/exactness.md).
constexpr double kDeviceBFloat16Limit = 7e-3;

struct CheckedNetwork {
    ModelName model;
    Norm norm;
    MemoryFormat format;
    const char* name;
    std::uint64_t seed; // no ReLU or max-pool is near its edge (docs/exactness.md)
};

constexpr CheckedNetwork kLeNet5 { ModelName::LeNet5, Norm::None, MemoryFormat::Contiguous,
    "LeNet-5", 1 };
constexpr CheckedNetwork kMlp { ModelName::Mlp, Norm::None, MemoryFormat::Contiguous, "MLP", 3 };
constexpr CheckedNetwork kGroupNorm { ModelName::ResNet18, Norm::Group, MemoryFormat::ChannelsLast,
    "ResNet-18 with GroupNorm, channels_last", 1 };
constexpr CheckedNetwork kBatchNorm { ModelName::ResNet18, Norm::Batch, MemoryFormat::ChannelsLast,
    "ResNet-18 with BatchNorm, channels_last", 3 };

struct Case {
    CheckedNetwork network;
    Precision precision;
    double deviceLimit;
    double splitLimit = 0; // 0: only two devices are compared
};

// Small enough that the whole self test takes seconds on any machine.
constexpr Case kCases[] {
    { kLeNet5, Precision::Float64, kDeviceFloat64Limit, kFloat64Limit },
    { kLeNet5, Precision::Float32, kDeviceFloat32Limit, kFloat32Limit },
    { kMlp, Precision::Float64, kDeviceFloat64Limit, kFloat64Limit },
    { kMlp, Precision::Float32, kDeviceFloat32Limit, kFloat32Limit },
    { kLeNet5, Precision::BFloat16, kDeviceBFloat16Limit },
    { kMlp, Precision::BFloat16, kDeviceBFloat16Limit },
    { kBatchNorm, Precision::Float64, kDeviceFloat64Limit },
    { kBatchNorm, Precision::Float32, kDeviceFloat32Limit },
};

UpdateCheck checkOf(const Message& what, const CheckedNetwork& network, Precision precision,
    std::vector<Slice> found, std::vector<Slice> expected, double limit)
{
    UpdateCheck check {
        .found = std::move(found), .expected = std::move(expected), .limit = limit
    };
    check.experiment.model.name = network.model;
    check.experiment.model.norm = network.norm;
    check.experiment.run.memoryFormat = network.format;
    check.experiment.run.precision = precision;
    check.experiment.run.seed = network.seed;
    check.experiment.optimizer.lr = kLearningRate;
    check.name = Message("selftest.update",
        { { "check", what }, { "network", network.name },
            { "precision", settingText(*settingOf(check.experiment, key::runPrecision)) } });
    return check;
}

// The same samples in each of two micro-batches. BatchNorm normalises them alike, and half a
// gradient twice is the gradient to the last bit, also where it is rounded to bfloat16.
UpdateCheck twiceTheSame(const CheckedNetwork& network, Precision precision)
{
    std::vector<Slice> twice = windowOf({ 8, 8 });
    twice.back().begin = 0;
    return checkOf(Message("selftest.twice_the_same"), network, precision, std::move(twice),
        windowOf({ 8 }), /*limit=*/0);
}

// b × N of full micro-batches, or with a smaller last one, against the whole window as one.
UpdateCheck splitOf(const CheckedNetwork& network, Precision precision,
    const std::vector<std::int64_t>& sizes, double limit)
{
    const auto samples = std::accumulate(sizes.begin(), sizes.end(), std::int64_t { 0 });
    return checkOf(
        Message("selftest.split",
            { { "micro", sizes.front() }, { "steps", sizes.size() }, { "samples", samples } }),
        network, precision, windowOf(sizes), windowOf({ samples }), limit);
}

} // namespace

std::vector<UpdateCheck> splitChecks()
{
    std::vector<UpdateCheck> checks;
    const std::vector<std::int64_t> sizes[] { { 32, 32, 32, 32 }, { 25, 25, 25, 25, 25, 3 } };
    for (const Case& each : kCases)
        for (const auto& split : sizes)
            if (each.splitLimit > 0)
                checks.push_back(splitOf(each.network, each.precision, split, each.splitLimit));
    checks.push_back(splitOf(kGroupNorm, Precision::Float64, { 2, 2 }, kFloat64Limit));
    for (const Precision precision : { Precision::Float32, Precision::BFloat16 })
        checks.push_back(twiceTheSame(kBatchNorm, precision));
    return checks;
}

std::vector<UpdateCheck> deviceChecks()
{
    std::vector<UpdateCheck> checks;
    for (const Case& each : kCases) {
        const std::vector<Slice> window =
            windowOf({ each.network.model == ModelName::ResNet18 ? 8 : 32 });
        checks.push_back(checkOf(Message("selftest.two_devices"), each.network, each.precision,
            window, window, each.deviceLimit));
    }
    return checks;
}

SelfTestRow rowOf(
    const UpdateCheck& check, const ResidentDataSet& data, const ResidentDataSet& reference)
{
    const double distance = relativeDistance(updateFrom(check.experiment, data, check.found),
        updateFrom(check.experiment, reference, check.expected));
    return { .check = check.name,
        .measured = Message("selftest.measured", { { "distance", formatNumber(distance, 2) } }),
        .limit = Message("selftest.at_most", { { "limit", formatNumber(check.limit, 2) } }),
        .passed = distance <= check.limit }; // also false if the distance is NaN
}

} // namespace accrue
