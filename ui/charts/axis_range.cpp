// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/axis_range.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Why axes change in steps: a live run changes its extent with nearly every point. An axis that
// ended at the data would be laid out and painted whole each time, and a curve that has not changed
// would seem to move. A range therefore ends at round numbers, and remains until the data leaves it
// or fills too little of it.

namespace accrue {

namespace {

constexpr int kSteps = 5; // into how many steps an axis is divided, about
constexpr double kLeastFill = 1.0 / 3; // of the range, before it shrinks
constexpr std::size_t kFewestTicks = 3; // of a logarithmic axis within a decade
constexpr double kSlack = 1e-9; // of a step: rounding is not growth

// The smallest of 1, 2, 2.5 and 5 times a power of ten that cuts `span` into at most `wanted`
// steps.
double niceStep(double span, int wanted)
{
    const double rough = span / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : { 1.0, 2.0, 2.5, 5.0 })
        if (rough <= factor * power * (1 + kSlack))
            return factor * power;
    return 10 * power;
}

// Equal ends still need a height: a tenth of the value, or one.
void widen(double& low, double& high)
{
    // Below this share of the value, doubles cannot distinguish the ticks.
    const double least = std::max(std::abs(low), std::abs(high)) * 1e-9;
    if (high - low > least)
        return;
    const double half = low == 0 ? 0.5 : std::abs(low) * 0.1;
    low -= half;
    high += half;
}

bool stillFits(double low, double high, const AxisRange& range)
{
    const double slack = range.step * kSlack;
    const bool inside = low >= range.low - slack && high <= range.high + slack;
    return inside && high - low >= (range.high - range.low) * kLeastFill;
}

// Powers of two, each `stride` doublings apart; as exponents of ten, like low and high.
std::vector<double> powersOfTwoEvery(double stride, double low, double high)
{
    const double doubling = std::log10(2.0);
    std::vector<double> ticks;
    for (double at = std::ceil(low / doubling / stride - kSlack) * stride;
         at * doubling <= high + kSlack; at += stride)
        ticks.push_back(at * doubling);
    return ticks;
}

// About `wanted` of them, or more if there would be only one.
std::vector<double> powersOfTwo(double low, double high, int wanted)
{
    const double doublings = (high - low) / std::log10(2.0);
    std::vector<double> ticks;
    for (const double stride : { 10.0, 5.0, 2.0, 1.0 }) // 10: 1 KiB, 1 MiB, 1 GiB
        // From large strides to small ones, as long as there are too few ticks or space for more.
        if (ticks.size() < 2 || doublings <= stride * wanted)
            ticks = powersOfTwoEvery(stride, low, high);
    return ticks;
}

// Decades, with `between` times each of them.
std::vector<double> decades(double low, double high, const std::vector<double>& between)
{
    std::vector<double> ticks;
    const auto add = [&](double at) {
        if (at >= low - kSlack && at <= high + kSlack)
            ticks.push_back(at);
    };
    for (double decade = std::floor(low); decade <= high; decade += 1) {
        add(decade);
        for (const double factor : between)
            add(decade + std::log10(factor));
    }
    return ticks;
}

// `ticks`, or those of a linear axis if they are too few to read a value by.
std::vector<double> orRound(std::vector<double> ticks, double low, double high, int wanted,
    std::vector<double> (*linear)(double low, double high, int wanted))
{
    if (ticks.size() >= kFewestTicks || high - low >= 1)
        return ticks;
    ticks = linear(std::pow(10.0, low), std::pow(10.0, high), wanted);
    for (double& tick : ticks)
        tick = std::log10(tick);
    return ticks;
}

// As many as a number of bytes is written with.
bool hasThreeDigits(double value)
{
    if (value == 0)
        return true;
    const double digits = value / std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
    return std::abs(digits - std::round(digits)) < 1e-6;
}

} // namespace

AxisRange niceRange(double low, double high, const std::optional<AxisRange>& previous, Grow grow)
{
    widen(low, high);
    if (previous && stillFits(low, high, *previous))
        return *previous;
    const double step = niceStep(high - low, kSteps);
    // Rounded down, an x axis would begin with an empty stretch of up to a whole step.
    return { .low = grow == Grow::HighOnly ? low : std::floor(low / step + kSlack) * step,
        .high = std::ceil(high / step - kSlack) * step,
        .step = step };
}

std::vector<double> niceTicks(double low, double high, int wanted)
{
    std::vector<double> ticks;
    if (!(high > low))
        return ticks;
    const double step = niceStep(high - low, std::max(wanted, 1));
    const double first = std::ceil(low / step - kSlack);
    const double last = std::floor(high / step + kSlack);
    // Multiples are counted, not summed: a sum of steps would drift, and 0 would be written as
    // 1e-17.
    for (double index = first; index <= last; index += 1)
        ticks.push_back(index == 0 ? 0 : index * step);
    return ticks;
}

double byteUnit(double highest)
{
    double unit = 1;
    // 1024 and not 1000, because the units are KiB, MiB and GiB.
    while (highest / unit >= 1024)
        unit *= 1024;
    return unit;
}

std::vector<double> byteTicks(double low, double high, int wanted)
{
    const double unit = byteUnit(std::max(std::abs(low), std::abs(high)));
    std::vector<double> ticks = niceTicks(low / unit, high / unit, wanted);
    // 12.25 MiB would be written as 12.2 MiB.
    while (wanted > 1 && !std::ranges::all_of(ticks, hasThreeDigits))
        ticks = niceTicks(low / unit, high / unit, --wanted);
    for (double& tick : ticks)
        tick *= unit;
    return ticks;
}

std::vector<double> logTicks(double low, double high, int wanted)
{
    std::vector<double> ticks;
    if (high - low > wanted) {
        // Over many decades only every second or third one has a tick.
        const double stride = std::ceil((high - low) / std::max(wanted, 1));
        for (double at = std::ceil(low / stride) * stride; at <= high + kSlack; at += stride)
            ticks.push_back(at);
        if (ticks.size() > 1)
            return ticks;
    }
    // Three ticks to a decade: 1, 2 and 5.
    const bool room = (high - low) * 3 <= wanted;
    ticks = decades(low, high, room ? std::vector { 2.0, 5.0 } : std::vector<double> {});
    if (ticks.size() < 2 && high - low >= 1)
        return decades(low, high, { 3.0 });
    return orRound(std::move(ticks), low, high, wanted, niceTicks);
}

std::vector<double> logTwoTicks(double low, double high, int wanted)
{
    // Of counts: micro-batches and accumulation steps. A single run would otherwise have ticks at
    // 0.9 and 1.1.
    low = std::max(low, 0.0); // no half of one
    std::vector<double> ticks = powersOfTwo(low, high, wanted);
    if (!ticks.empty())
        return ticks;
    for (const double tick : niceTicks(std::pow(10.0, low), std::pow(10.0, high), wanted))
        if (std::abs(tick - std::round(tick)) <= kSlack * tick)
            ticks.push_back(std::log10(tick));
    return ticks;
}

std::vector<double> logByteTicks(double low, double high, int wanted)
{
    return orRound(powersOfTwo(low, high, wanted), low, high, wanted, byteTicks);
}

} // namespace accrue
