// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/base/shown_text.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/key_info.h"
#include "engine/experiment/run_name.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Only for this room: the values that keys accept, each with the words that messages, tooltips and
// docs/recipes.md use for them. The words state the limits of the function beside them. NaN is in
// no range, because every comparison with it is false.
namespace accrue {

template <typename Value> struct Range {
    const char* word; // in the code of its translations: key.allowed.WORD
    const char* english; // everything that it shows as allowed can be typed exactly like that
    bool (*holds)(const Value&);
};

template <typename Value> Message allowedBy(const Range<Value>& range)
{
    return { std::string("key.allowed.") + range.word, range.english };
}

// ---- counts ----

inline bool isCountOrZero(const std::int64_t& value)
{
    return value >= 0 && value <= kLargestCount;
}

inline bool isCount(const std::int64_t& value)
{
    return value >= 1 && value <= kLargestCount;
}

inline constexpr Range<std::int64_t> kCount { "count", "whole number from 1 to 1000000000",
    isCount };
inline constexpr Range<std::int64_t> kCountOrZero { "count_or_zero",
    "whole number from 0 to 1000000000", isCountOrZero };
inline constexpr Range<std::optional<std::int64_t>> kCountOrAuto { "count_or_auto",
    "whole number from 1 to 1000000000, or auto",
    [](const std::optional<std::int64_t>& value) { return !value || isCount(*value); } };
inline constexpr Range<BatchNumber> kBatchNumber { kCountOrAuto.word, kCountOrAuto.english,
    [](const BatchNumber& number) {
        return !number.isAll() && (!number.isGiven() || isCount(number.value));
    } };
inline constexpr Range<BatchNumber> kDeviceCount { "device_count",
    "whole number from 1 to 1000000000, auto or all",
    [](const BatchNumber& number) { return number.isAll() || kBatchNumber.holds(number); } };
inline constexpr Range<std::uint64_t> kSeed { // the largest number in TOML
    "seed", "whole number from 0 to 9223372036854775807",
    [](const std::uint64_t& seed) { return seed <= INT64_MAX; }
};
inline constexpr Range<std::vector<std::int64_t>> kWidths { "widths",
    "list of 1 to 32 whole numbers from 1 to 65536", [](const std::vector<std::int64_t>& widths) {
        const auto fits = [](std::int64_t width) { return width >= 1 && width <= 65536; };
        return !widths.empty() && widths.size() <= 32
            && std::all_of(widths.begin(), widths.end(), fits);
    } };
inline constexpr Range<std::optional<PictureSize>> kPictureSize { "picture_size",
    "whole number from 1 to 4096, height and width such as [64, 96], or auto",
    [](const std::optional<PictureSize>& size) {
        const auto fits = [](std::int64_t side) { return side >= 1 && side <= 4096; };
        return !size || (fits(size->height) && fits(size->width));
    } };
inline constexpr Range<std::optional<Bytes>> kBudget { "budget",
    "bytes with a unit such as 4GiB or 500MB, from 1B to 1024TiB, or none",
    [](const std::optional<Bytes>& budget) {
        constexpr std::int64_t kMost = std::int64_t { 1 } << 50; // a pebibyte
        return !budget || (budget->count > 0 && budget->count <= kMost);
    } };

inline constexpr Range<ChunkSize> kChunkSize { "chunk_size",
    "bytes with a unit such as 16MiB, from 1B to 1024TiB, or auto",
    [](const ChunkSize& size) { return !size.bytes || kBudget.holds(size.bytes); } };

// ---- numbers; their limits are those that float32 holds, also after one update by them ----

inline constexpr Range<double> kShare { "share", "number from 0 to 1",
    [](const double& value) { return value >= 0 && value <= 1; } };
inline constexpr Range<double> kShareBelowOne { "share_below_one", "number from 0 to below 1",
    [](const double& value) { return value >= 0 && value < 1; } };
inline constexpr Range<double> kLearningRate { "learning_rate", "number above 0, at most 1e9",
    [](const double& value) { return value > 0 && value <= kLargestLearningRate; } };
inline constexpr Range<double> kDecay { "decay", "number from 0 to 1e6",
    [](const double& value) { return value >= 0 && value <= 1e6; } };
inline constexpr Range<double> kLimit { // neither 0 nor inf in float32
    "limit", "number from 1e-30 to 1e30, or 0",
    [](const double& value) { return value == 0 || (value >= 1e-30 && value <= 1e30); }
};
inline constexpr Range<double> kEpsilon { // 1e-46 is 0 in float32
    "epsilon", "number, 1e-30 or more",
    [](const double& value) { return std::isfinite(value) && value >= 1e-30; }
};
inline constexpr Range<double> kSigma { "sigma", "number above 0, at most 1e6",
    [](const double& value) { return value > 0 && value <= 1e6; } };
inline constexpr Range<BatchNormMomentum> kBatchNormMomentum { "batchnorm_momentum",
    "number above 0, at most 1, or corrected",
    [](const BatchNormMomentum& momentum) { return momentum.value > 0 && momentum.value <= 1; } };

// ---- data ----

inline constexpr Range<HeldOut> kSamplesOrShare { "samples_or_share",
    "whole number of samples from 0 to 1000000000, or a share below 1 such as 0.1",
    [](const HeldOut& heldOut) {
        return isCountOrZero(heldOut.samples) && kShareBelowOne.holds(heldOut.share);
    } };
inline constexpr Range<Normalization> kNormalization { "normalization",
    "auto, published, measured or {mean = [0.5], std = [0.25]}, one to three each, deviations from "
    "1e-6 to 1e6",
    [](const Normalization& normalization) {
        const auto isMean = [](double value) { return value >= -1e6 && value <= 1e6; };
        const auto isDeviation = [](double value) { return value >= 1e-6 && value <= 1e6; };
        const auto& [kind, mean, stddev] = normalization;
        return kind != Normalization::Kind::Given
            || (!mean.empty() && mean.size() <= 3 && mean.size() == stddev.size()
                && std::all_of(mean.begin(), mean.end(), isMean)
                && std::all_of(stddev.begin(), stddev.end(), isDeviation));
    } };
inline constexpr Range<AugmentSettings> kAugment { "augment",
    "list of crop:PADDING, flip and cutout:SIZE, each once, PADDING and SIZE from 1 to 1024",
    [](const AugmentSettings& augment) {
        return augment.cropPadding <= 1024 && augment.cutoutSize <= 1024; // pixels
    } };

// ---- lengths of training, and what changes in it ----

inline constexpr std::size_t kMostChanges = 64; // of a schedule

inline bool isSpan(const Span& span)
{
    const bool whole = span.unit == Span::Unit::Minutes || std::floor(span.count) == span.count;
    return span.count > 0 && span.count <= static_cast<double>(kLargestCount) && whole;
}

// Known before the run, unlike minutes.
inline bool isSpanOfUpdates(const Span& span)
{
    return isSpan(span) && span.unit != Span::Unit::Minutes;
}

// Ascending from 0, in one unit; both limits keep counting the updates fast.
inline bool isStepsSchedule(const std::vector<StepsFrom>& schedule)
{
    constexpr std::int64_t kLastFrom = 10'000'000;
    const auto isEntry = [&](const StepsFrom& entry) {
        return entry.unit == schedule.front().unit && entry.from <= kLastFrom
            && isCount(entry.steps);
    };
    const auto isNoLater = [](const StepsFrom& entry, const StepsFrom& next) {
        return next.from <= entry.from;
    };
    return schedule.empty()
        || (schedule.size() <= kMostChanges && schedule.front().from == 0
            && std::all_of(schedule.begin(), schedule.end(), isEntry)
            && std::adjacent_find(schedule.begin(), schedule.end(), isNoLater) == schedule.end());
}

inline constexpr Range<Span> kSpan { "span",
    "text such as \"1 epoch\", \"500 steps\" or \"10 minutes\", at most 1000000000 of them",
    isSpan };
inline constexpr Range<std::optional<Span>> kSpanOrOff { "span_or_off",
    "text such as \"1 epoch\", \"500 steps\" or \"10 minutes\", at most 1000000000 of them, or off",
    [](const std::optional<Span>& span) { return !span || isSpan(*span); } };
inline constexpr Range<Span> kSpanOfUpdates { "span_of_updates",
    "text such as \"30 epochs\" or \"500 steps\", at most 1000000000 of them; no minutes",
    isSpanOfUpdates };
inline constexpr Range<TimeSpan> kTimeSpan { "time_span",
    "text such as \"30 seconds\" or \"5 minutes\", from 1 second to a day",
    [](const TimeSpan& span) { return span.seconds() >= 1 && span.seconds() <= 24 * 3600; } };
inline constexpr Range<std::vector<Span>> kMilestones { "milestones",
    "list of at most 64 texts such as \"30 epochs\" or \"500 steps\"; no minutes",
    [](const std::vector<Span>& milestones) {
        return milestones.size() <= kMostChanges
            && std::all_of(milestones.begin(), milestones.end(), isSpanOfUpdates);
    } };
inline constexpr Range<std::vector<StepsFrom>> kStepsSchedule { "steps_schedule",
    "list of at most 64 such as {from_epoch = 0, steps = 4} or {from_step = 0, steps = 4}, "
    "ascending from 0 to at most 10000000",
    isStepsSchedule };

// ---- text ----

// "cuda:" and a number of up to three digits, or a word.
inline bool isDevice(const std::string& device)
{
    constexpr std::string_view kPrefix = "cuda:";
    if (!device.starts_with(kPrefix))
        return device == "auto" || device == "cpu" || device == "cuda";
    const std::string index = device.substr(kPrefix.size());
    return !index.empty() && index.size() <= 3
        && index.find_first_not_of("0123456789") == std::string::npos;
}

inline constexpr Range<std::string> kRunName { "run_name",
    "one line of text, at most 200 characters", isRunName };
static_assert(kLongestRunName == 200, "the words above state it");
inline constexpr Range<std::string> kDevice { "device", "auto, cpu, cuda or cuda:NUMBER",
    isDevice };
inline constexpr Range<std::string> kFolder { "folder", "folder", isOneLine };
inline constexpr Range<std::string> kSafetensorsFile { "safetensors_file", "safetensors file",
    isOneLine };
inline constexpr Range<std::string> kStopRule { "stop_rule",
    "comparisons of metrics with numbers, joined by and, such as test_accuracy >= 0.99",
    isOneLine };
inline constexpr Range<std::string> kParameterName { "parameter_name", "parameter name, or first",
    isOneLine };

} // namespace accrue
