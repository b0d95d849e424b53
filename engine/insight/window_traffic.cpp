// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/window_traffic.h"

namespace accrue {
namespace {

constexpr std::int64_t kFiguresAndVerdict = 2; // small all-reduces of every window

double stepsOf(const ScalingPoint& point)
{
    return static_cast<double>(point.steps);
}

std::int64_t smallSums(const ScalingPoint& point)
{
    const bool hasNorm = point.sharding != Sharding::None;
    return kFiguresAndVerdict + (hasNorm ? 1 : 0);
}

// `count` phases of so many bytes each, among `ranks` by a ring.
LinkTraffic ring(double count, double bytes, double ranks)
{
    return { count * (ranks - 1), count * (ranks - 1) / ranks * bytes };
}

LinkTraffic operator+(const LinkTraffic& one, const LinkTraffic& other)
{
    return { one.messages + other.messages, one.bytes + other.bytes };
}

// Each phase among the ranks of a machine, and between the machines with a part of the bytes.
WindowTraffic phases(const ScalingPoint& point, double count, double bytes)
{
    const auto local = static_cast<double>(point.perMachine);
    const double machines = static_cast<double>(point.ranks) / local;
    return { ring(count, bytes / local, machines), ring(count, bytes, local) };
}

WindowTraffic operator+(const WindowTraffic& one, const WindowTraffic& other)
{
    return { one.between + other.between, one.within + other.within };
}

double sparedGathers(const ScalingPoint& point)
{
    return point.sharding == Sharding::Parameters ? stepsOf(point) : 0;
}

// What gloo's reductions to one rank after the other take beyond a phase.
double bytesOfReductions(const ScalingPoint& point)
{
    if (point.sharding == Sharding::None || point.perMachine > 1)
        return 0;
    const double once = point.everyMicroBatch ? 0 : 1;
    const double count = point.sharding == Sharding::Parameters ? stepsOf(point) : once;
    return ring(count, point.gradientBytes, static_cast<double>(point.ranks)).bytes;
}

} // namespace

double largePhases(const ScalingPoint& point)
{
    const double sums = point.everyMicroBatch ? stepsOf(point) : 1;
    switch (point.sharding) {
    case Sharding::None:
        return 2 * sums;
    case Sharding::Optimizer:
        return point.everyMicroBatch ? 2 * sums + 1 : 2;
    case Sharding::Parameters:
        return 3 * stepsOf(point);
    }
    return 0;
}

std::int64_t collectives(const ScalingPoint& point)
{
    if (point.ranks == 1)
        return 0;
    const std::int64_t sums = (point.everyMicroBatch ? point.steps : 1) * point.buckets;
    switch (point.sharding) {
    case Sharding::None:
        return sums + smallSums(point);
    case Sharding::Optimizer:
        return (point.everyMicroBatch ? sums : 1) + 1 + smallSums(point);
    case Sharding::Parameters:
        return point.steps * (3 * point.chunks - 1) + smallSums(point);
    }
    return 0;
}

double bytesSent(const ScalingPoint& point)
{
    const auto ranks = static_cast<double>(point.ranks);
    return ring(largePhases(point), point.gradientBytes, ranks).bytes
        - ring(sparedGathers(point), point.keptBytes, ranks).bytes;
}

WindowTraffic trafficOf(const ScalingPoint& point)
{
    const double chunks =
        point.sharding == Sharding::Parameters ? static_cast<double>(point.chunks) : 1;
    const double agreements = stepsOf(point) + 1;
    WindowTraffic all = phases(point, chunks * largePhases(point), point.gradientBytes / chunks)
        + phases(point, 2 * agreements, kAgreementBytes * static_cast<double>(point.ranks))
        + phases(point, 2 * static_cast<double>(smallSums(point)), /*bytes=*/0)
        + phases(point, -sparedGathers(point), point.keptBytes);
    all.between.bytes += bytesOfReductions(point);
    return all;
}

} // namespace accrue
