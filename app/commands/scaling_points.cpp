// SPDX-License-Identifier: Apache-2.0
#include "app/commands/scaling_points.h"

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/json_reader.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t kMost = 1'000'000; // of ranks, of steps, and of samples of a micro-batch
constexpr double kMostValue = 1e18; // of bytes and milliseconds
constexpr double kLeastSeconds = 1e-9;
constexpr std::size_t kMostPoints = 300; // with so many links, their law takes some seconds
constexpr std::size_t kMostLinks = 8;

constexpr std::array<std::pair<Sharding, std::string_view>, 3> kShardings { {
    { Sharding::None, "none" },
    { Sharding::Optimizer, "optimizer" },
    { Sharding::Parameters, "parameters" },
} };

Sharding shardingNamed(const std::string& name)
{
    for (const auto& [sharding, text] : kShardings)
        if (text == name)
            return sharding;
    throw InputError(Message("cli.points_impossible"));
}

bool isCount(std::int64_t count)
{
    return count >= 1 && count <= kMost;
}

bool isAmount(double value)
{
    return value >= 0 && value <= kMostValue;
}

bool isPossible(const ScaledWindows& windows)
{
    const ScalingPoint& point = windows.point;
    if (!isCount(point.ranks) || !isCount(point.steps) || !isCount(point.chunks))
        return false;
    const std::int64_t microBatches = point.ranks * point.steps;
    return windows.effective >= microBatches && windows.effective / microBatches <= kMost
        && point.windowSeconds >= kLeastSeconds && isAmount(point.windowSeconds)
        && isAmount(point.gradientBytes) && isAmount(point.keptBytes)
        && windows.samplesPerSecond > 0 && isAmount(windows.samplesPerSecond)
        && isAmount(windows.communicationMs) && isAmount(windows.waitMs) && isAmount(windows.bytes);
}

ScalingPoint pointIn(const Json& object)
{
    ScalingPoint point { object.at("ranks").get<std::int64_t>(),
        object.at("steps").get<std::int64_t>(),
        object.at("synchronize").get<std::string>() == "micro_batch",
        object.at("gradient_bytes").get<double>(), object.at("window_seconds").get<double>() };
    point.sharding = shardingNamed(object.value("shard", std::string("none")));
    point.chunks = object.value("chunks", point.chunks);
    point.keptBytes = object.value("kept_bytes", 0.0);
    return point;
}

ScaledWindows windowsIn(const Json& object)
{
    const ScaledWindows windows { pointIn(object), object.at("effective").get<std::int64_t>(),
        object.at("samples_per_second").get<double>(), object.at("communication_ms").get<double>(),
        object.at("wait_ms").get<double>(), object.at("bytes").get<double>(),
        object.value("link", std::string(kLocalLink)), object.value("shares_cores", false) };
    if (!isPossible(windows))
        throw InputError(Message("cli.points_impossible"));
    return windows;
}

std::size_t linksOf(const std::vector<ScaledWindows>& windows)
{
    std::set<std::string> links;
    for (const ScaledWindows& one : windows)
        links.insert(one.link);
    return links.size();
}

} // namespace

std::string_view nameOf(Sharding sharding)
{
    return kShardings[static_cast<std::size_t>(sharding)].second;
}

Json jsonOf(const ScaledWindows& windows)
{
    const ScalingPoint& point = windows.point;
    return { { "ranks", point.ranks }, { "steps", point.steps },
        { "synchronize", point.everyMicroBatch ? "micro_batch" : "window" },
        { "shard", nameOf(point.sharding) }, { "chunks", point.chunks },
        { "kept_bytes", point.keptBytes }, { "link", windows.link },
        { "effective", windows.effective }, { "gradient_bytes", point.gradientBytes },
        { "window_seconds", point.windowSeconds },
        { "samples_per_second", windows.samplesPerSecond },
        { "communication_ms", windows.communicationMs }, { "wait_ms", windows.waitMs },
        { "bytes", windows.bytes }, { "shares_cores", windows.sharesCores } };
}

std::vector<ScaledWindows> scaledWindowsIn(const std::string& file)
try {
    const TextFile read = readTextFile(file, Streams::Read);
    if (!read.problem.empty())
        throw InputError(read.problem);
    const Json json = readOrderedJson(read.text);
    std::vector<ScaledWindows> all;
    for (const Json& object : json.at("points"))
        all.push_back(windowsIn(object));
    if (all.empty())
        throw InputError(Message("cli.no_points"));
    if (all.size() > kMostPoints || linksOf(all) > kMostLinks)
        throw InputError(
            Message("cli.too_many_points", { { "points", kMostPoints }, { "links", kMostLinks } }));
    return all;
} catch (const Json::exception& error) {
    throw InputError(Message(
        "cli.points_unreadable", { { "file", file }, { "reason", std::string(error.what()) } }));
} catch (const JsonError& error) {
    throw InputError(
        Message("cli.points_unreadable", { { "file", file }, { "reason", error.message() } }));
}

} // namespace accrue
