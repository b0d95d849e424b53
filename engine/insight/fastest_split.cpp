// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/fastest_split.h"

#include "engine/base/format.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace accrue {

namespace {

double secondsOf(const MicroSpeed& speed)
{
    return static_cast<double>(speed.micro) / speed.samplesPerSecond;
}

// `speeds` is not empty and ascends; `samples` is at most the last one's.
double secondsOfSlice(const std::vector<MicroSpeed>& speeds, std::int64_t samples)
{
    const auto above = std::find_if(speeds.begin(), speeds.end(),
        [samples](const MicroSpeed& speed) { return speed.micro >= samples; });
    if (above == speeds.begin() || above->micro == samples)
        return secondsOf(*above);
    // A micro-batch between two timed sizes takes a time between theirs. That is accurate enough
    // for the one small slice at the end of a window; the full slices always have a size that was
    // timed.
    const auto below = above - 1;
    const double share = static_cast<double>(samples - below->micro)
        / static_cast<double>(above->micro - below->micro);
    return secondsOf(*below) + share * (secondsOf(*above) - secondsOf(*below));
}

// The update is left out: every split of B has exactly one.
double secondsOfWindow(const std::vector<MicroSpeed>& speeds, const BatchPlan& split)
{
    const std::int64_t samples = split.effective / split.devices;
    const std::int64_t full = samples / split.micro;
    const std::int64_t rest = samples % split.micro;
    const double seconds = static_cast<double>(full) * secondsOfSlice(speeds, split.micro);
    return rest == 0 ? seconds : seconds + secondsOfSlice(speeds, rest);
}

// "b = 64 × N 2, 5 231 img/s ± 2 %"
std::string withRate(const SplitSpeed& split)
{
    const double share = split.spread / split.samplesPerSecond;
    return describe(split) + ", " + formatRate(split.samplesPerSecond) + " ± "
        + formatCount(std::llround(100 * share)) + " %";
}

Message otherIsFastest(
    std::int64_t effective, const FastestSplit& fastest, const std::optional<SplitSpeed>& own)
{
    const Message other("fastest_split.other",
        { { "effective", effective }, { "split", withRate(fastest.split) } });
    const Message compared = own
        ? Message("fastest_split.compared", { { "fastest", other }, { "own", withRate(*own) } })
        : other;
    return Message(fastest.isTied ? "fastest_split.least_memory" : "fastest_split.alone",
        { { "compared", compared } });
}

} // namespace

std::optional<SplitSpeed> speedOfSplit(
    const MemoryFit& fit, const BatchPlan& plan, std::int64_t micro)
{
    const auto timed = std::find_if(fit.speeds.begin(), fit.speeds.end(),
        [micro](const MicroSpeed& speed) { return speed.micro == micro; });
    const std::int64_t samples = plan.effective / plan.devices;
    if (timed == fit.speeds.end() || micro > samples || !plan.schedule.empty())
        return std::nullopt;
    const BatchPlan split = cutInto(plan, micro);
    if (!canBeCut(split, samples))
        return std::nullopt;
    const double rate = static_cast<double>(samples) / secondsOfWindow(fit.speeds, split);
    return SplitSpeed { .micro = micro,
        .steps = split.steps,
        .samplesPerSecond = rate,
        // In proportion to the rate, like that of its full micro-batches.
        .spread = rate * timed->spread / timed->samplesPerSecond };
}

std::optional<FastestSplit> fastestSplit(
    const MemoryFit& fit, const BatchPlan& plan, std::int64_t limitBytes)
{
    std::vector<SplitSpeed> splits; // ascending in b, and so in memory
    for (const MicroSpeed& speed : fit.speeds) {
        const std::optional<SplitSpeed> split = speedOfSplit(fit, plan, speed.micro);
        if (split && fitsBudget(fit, speed.micro, limitBytes))
            splits.push_back(*split);
    }
    if (splits.empty())
        return std::nullopt;
    const SplitSpeed best = *std::max_element(
        splits.begin(), splits.end(), [](const SplitSpeed& one, const SplitSpeed& other) {
            return one.samplesPerSecond < other.samplesPerSecond;
        });
    // Ranges that overlap show no difference: it may be noise of the measurement.
    std::erase_if(splits, [&best](const SplitSpeed& split) {
        return split.samplesPerSecond + split.spread < best.samplesPerSecond - best.spread;
    });
    const auto own = std::find_if(splits.begin(), splits.end(),
        [&plan](const SplitSpeed& split) { return split.micro == plan.micro; });
    return FastestSplit { own != splits.end() ? *own : splits.front(), splits.size() > 1 };
}

std::string describe(const SplitSpeed& split)
{
    return "b = " + formatCount(split.micro) + " × N " + formatCount(split.steps);
}

Message fastestSentence(const MemoryFit& fit, const ResolvedExperiment& resolved)
{
    const BatchPlan& plan = resolved.plan;
    const auto fastest = fastestSplit(fit, plan, limitBytes(resolved.experiment, fit));
    if (!fastest)
        return {};
    if (fastest->split.micro == plan.micro)
        return Message(fastest->isTied ? "fastest_split.own_tied" : "fastest_split.own",
            { { "effective", plan.effective }, { "split", withRate(fastest->split) } });
    return otherIsFastest(plan.effective, *fastest, speedOfSplit(fit, plan, plan.micro));
}

} // namespace accrue
