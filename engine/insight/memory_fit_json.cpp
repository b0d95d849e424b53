// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/memory_fit_json.h"

#include "engine/events/json_list.h"
#include "engine/events/json_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;
using Read = nlohmann::json;

namespace {

// Files of memory models are in the user's data directory and are read without asking, so every
// number is checked: a damaged or edited file must neither overflow nor be mistaken for a model.
// Such a file is no error, it just contains no model, and the next fit replaces it. The limits
// ensure that no sum or product of a line overflows for any b.
constexpr std::int64_t kMostBytes = std::int64_t { 1 } << 52;
constexpr std::int64_t kMostBytesPerSample = std::int64_t { 1 } << 32;

constexpr std::array kPhases { MemoryPhase::Data, MemoryPhase::Forward, MemoryPhase::Backward,
    MemoryPhase::Optimizer, MemoryPhase::Evaluation };

MemoryPhase phaseOf(const Read& json)
{
    const auto name = json.at("phase").get<std::string>();
    for (const MemoryPhase phase : kPhases)
        if (name == nameOf(phase))
            return phase;
    throw std::invalid_argument(name);
}

std::int64_t countOf(const Read& json, const char* name, std::int64_t least, std::int64_t most)
{
    // Only whole numbers: 1e3 and 3.7 are floating-point in JSON, and a conversion would silently
    // truncate them.
    const Read& number = json.at(name);
    const auto value = number.is_number_integer() ? number.get<std::int64_t>() : least - 1;
    if (value < least || value > most)
        throw std::invalid_argument(name);
    return value;
}

std::int64_t bytesOf(const Read& json, const char* name)
{
    return countOf(json, name, 0, kMostBytes);
}

double valueOf(const Read& json, const char* name)
{
    const auto value = json.at(name).get<double>();
    if (!std::isfinite(value) || value < 0)
        throw std::invalid_argument(name);
    return value;
}

Json pointsJson(const MemoryLaw& law)
{
    // They follow from lines and points; they are written for people and scripts and not read back.
    const std::vector<std::int64_t> residuals = residualsOf(law);
    auto residual = residuals.begin();
    return jsonList(law.points, [&](const MemoryPoint& point) -> Json {
        return { { "phase", nameOf(point.phase) }, { "micro", point.micro },
            { "peak_bytes", point.peakBytes }, { "residual_bytes", *residual++ } };
    });
}

Json lineJson(const MemoryLine& line)
{
    return { { "phase", nameOf(line.phase) }, { "law", line.isOfLaw() },
        { "base_bytes", line.base }, { "bytes_per_sample", line.perSample },
        { "points", line.points }, { "mean_micro", jsonOf(line.meanMicro) },
        { "spread", jsonOf(line.spread) }, { "deviation_bytes", jsonOf(line.deviation) } };
}

Json proofJson(const MemoryProof& proof)
{
    return { { "budget_bytes", proof.budgetBytes }, { "micro", proof.micro },
        { "peak_bytes", proof.peakBytes }, { "whole_training_set", proof.isAll } };
}

Json stepsPointJson(const StepsPoint& point)
{
    return { { "steps", point.steps }, { "peak_bytes", point.peakBytes } };
}

Json speedJson(const MicroSpeed& speed)
{
    return { { "micro", speed.micro }, { "samples_per_second", jsonOf(speed.samplesPerSecond) },
        { "spread", jsonOf(speed.spread) } };
}

MemoryPoint pointOf(const Read& json)
{
    return { phaseOf(json), countOf(json, "micro", 1, kLargestMicro), bytesOf(json, "peak_bytes") };
}

MemoryLine lineOf(const Read& json)
{
    return { .phase = phaseOf(json),
        .base = countOf(json, "base_bytes", -kMostBytes, kMostBytes),
        // 2^32 bytes per sample times 1e9 samples is below 2^62, which leaves room for the base.
        .perSample = countOf(json, "bytes_per_sample", 0, kMostBytesPerSample),
        .points = countOf(json, "points", 1, kLargestMicro),
        .meanMicro = valueOf(json, "mean_micro"),
        .spread = valueOf(json, "spread"),
        .deviation = valueOf(json, "deviation_bytes") };
}

MemoryProof proofOf(const Read& json)
{
    return { .budgetBytes = bytesOf(json, "budget_bytes"),
        .micro = countOf(json, "micro", 1, kLargestMicro),
        .peakBytes = bytesOf(json, "peak_bytes"),
        .isAll = json.at("whole_training_set").get<bool>() };
}

StepsPoint stepsPointOf(const Read& json)
{
    return { countOf(json, "steps", 1, kLargestMicro), bytesOf(json, "peak_bytes") };
}

MicroSpeed speedOf(const Read& json)
{
    const MicroSpeed speed { .micro = countOf(json, "micro", 1, kLargestMicro),
        .samplesPerSecond = valueOf(json, "samples_per_second"),
        .spread = valueOf(json, "spread") };
    if (speed.samplesPerSecond <= 0)
        throw std::invalid_argument("samples_per_second");
    return speed;
}

// Files that were written before micro-batches were timed have none.
void readSpeeds(const Read& json, MemoryFit& fit)
{
    if (!json.contains("speeds"))
        return;
    for (const Read& speed : json.at("speeds"))
        fit.speeds.push_back(speedOf(speed));
    // The interpolation between sizes relies on this order.
    const auto ascends = [](const MicroSpeed& one, const MicroSpeed& next) {
        return one.micro >= next.micro;
    };
    if (std::adjacent_find(fit.speeds.begin(), fit.speeds.end(), ascends) != fit.speeds.end())
        throw std::invalid_argument("speeds");
    fit.speedThreads = static_cast<int>(countOf(json, "speed_threads", 0, 1 << 20));
}

MemoryFit readFit(const Read& json)
{
    MemoryFit fit;
    fit.device = json.at("device").get<std::string>();
    fit.deviceName = json.at("device_name").get<std::string>();
    fit.torchVersion = json.at("torch").get<std::string>();
    fit.memoryFormat = json.at("memory_format").get<std::string>();
    fit.threads = static_cast<int>(countOf(json, "threads", 1, 1 << 20));
    fit.trainSamples = countOf(json, "train_samples", 1, kMostBytes);
    fit.smallestMicro = countOf(json, "smallest_micro", 1, 2);
    fit.leastBytes = bytesOf(json, "least_bytes");
    fit.totalBytes = bytesOf(json, "total_bytes");
    fit.outsideBytes = bytesOf(json, "outside_bytes");
    fit.law.from = countOf(json, "from", 1, kLargestMicro);
    fit.law.to = countOf(json, "to", fit.law.from, kLargestMicro);
    for (const Read& point : json.at("points"))
        fit.law.points.push_back(pointOf(point));
    for (const Read& line : json.at("lines"))
        fit.law.lines.push_back(lineOf(line));
    // Without a line of the window's phases every micro-batch would seem to need nothing.
    if (greatestLines(fit.law).empty())
        throw std::invalid_argument("lines");
    for (const Read& point : json.at("steps"))
        fit.steps.push_back(stepsPointOf(point));
    fit.stepsMicro = countOf(json, "steps_micro", 0, kLargestMicro);
    readSpeeds(json, fit);
    fit.gradientBytes = bytesOf(json, "gradient_bytes");
    if (const Read& proof = json.at("proof"); !proof.is_null())
        fit.proof = proofOf(proof);
    if (fit.proof && fit.proof->micro > fit.trainSamples)
        throw std::invalid_argument("proof");
    return fit;
}

} // namespace

Json jsonOf(const MemoryFit& fit)
{
    return { { "device", fit.device }, { "device_name", fit.deviceName },
        { "torch", fit.torchVersion }, { "threads", fit.threads },
        { "memory_format", fit.memoryFormat }, { "train_samples", fit.trainSamples },
        { "smallest_micro", fit.smallestMicro }, { "least_bytes", fit.leastBytes },
        { "total_bytes", fit.totalBytes }, { "outside_bytes", fit.outsideBytes },
        { "from", fit.law.from }, { "to", fit.law.to }, { "points", pointsJson(fit.law) },
        { "lines", jsonList(fit.law.lines, lineJson) },
        { "steps", jsonList(fit.steps, stepsPointJson) }, { "steps_micro", fit.stepsMicro },
        { "speeds", jsonList(fit.speeds, speedJson) }, { "speed_threads", fit.speedThreads },
        { "gradient_bytes", fit.gradientBytes },
        { "proof", fit.proof ? proofJson(*fit.proof) : Json() } };
}

std::optional<MemoryFit> fitOf(const Read& json)
{
    try {
        return readFit(json);
    } catch (const Read::exception&) {
        return std::nullopt;
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

} // namespace accrue
