// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/window_traffic.h"

#include <cmath>

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

// At the end, and before each slice that exchanges something.
std::int64_t agreements(const ScalingPoint& point)
{
    const bool beforeSlices = point.everyMicroBatch || point.sharding == Sharding::Parameters;
    return 1 + (beforeSlices ? point.steps : 0);
}

// Of agreements, and of the small sums, whose few bytes are counted as none.
WindowTraffic toFirstAndBack(const ScalingPoint& point)
{
    if (point.ranks == 1)
        return {};
    const auto ranks = static_cast<double>(point.ranks);
    const double down = std::ceil(std::log2(ranks));
    const auto agreed = static_cast<double>(agreements(point));
    const LinkTraffic all { (agreed + static_cast<double>(smallSums(point))) * (1 + down),
        agreed * (ranks - 1 + down) * kAgreementBytes };
    return point.ranks > point.perMachine ? WindowTraffic { all, {} } : WindowTraffic { {}, all };
}

double sparedGathers(const ScalingPoint& point)
{
    return point.sharding == Sharding::Parameters ? stepsOf(point) : 0;
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
    return phases(point, chunks * largePhases(point), point.gradientBytes / chunks)
        + phases(point, -sparedGathers(point), point.keptBytes) + toFirstAndBack(point);
}

} // namespace accrue
