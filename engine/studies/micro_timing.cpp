// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/micro_timing.h"

#include <algorithm>
#include <cstddef>

namespace accrue {
namespace {

constexpr int kMost = 5; // of a size in one round
constexpr double kEnoughMs = 1000.0 / 12;

double rateOf(std::int64_t micro, double milliseconds)
{
    constexpr double kShortestMs = 1e-6; // a clock may not have moved
    return 1000 * static_cast<double>(micro) / std::max(milliseconds, kShortestMs);
}

} // namespace

// Median and quartiles instead of mean and deviation, which one window that another program delayed
// would change.
MicroSpeed speedOfTimes(std::int64_t micro, std::vector<double> milliseconds)
{
    std::sort(milliseconds.begin(), milliseconds.end());
    const std::size_t last = milliseconds.size() - 1;
    const std::size_t quarter = milliseconds.size() / 4;
    const double middle = (milliseconds[last / 2] + milliseconds[(last + 1) / 2]) / 2;
    const double fast = rateOf(micro, milliseconds[quarter]);
    const double slow = rateOf(micro, milliseconds[last - quarter]);
    return {
        .micro = micro, .samplesPerSecond = rateOf(micro, middle), .spread = (fast - slow) / 2
    };
}

bool timeRound(WindowProbe& probe, MicroTimes& times)
{
    const auto compute = [&] {
        times.samples += times.micro;
        return probe.computeWindow(times.micro).has_value();
    };
    const bool isShort = times.milliseconds.empty() || times.milliseconds.back() < kEnoughMs;
    if (isShort && !compute()) // the first of a size fills caches
        return false;
    double all = 0;
    for (int timed = 0; timed < kMost && all < kEnoughMs; ++timed) {
        if (!compute())
            return false;
        const PartTimes& parts = probe.times();
        times.milliseconds.push_back(parts.dataMs + parts.forwardMs + parts.backwardMs);
        all += times.milliseconds.back();
    }
    return true;
}

} // namespace accrue
