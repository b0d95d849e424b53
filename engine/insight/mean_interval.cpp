// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/mean_interval.h"

#include "engine/insight/student_t.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace accrue {
namespace {

constexpr double kProbability = 0.95;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double halfWidth(double deviation, std::int64_t count)
{
    const double error = deviation / std::sqrt(static_cast<double>(count));
    return error == 0 ? 0 : studentT(kProbability, count - 1) * error;
}

std::vector<double> finiteOf(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    return values;
}

double meanOf(const std::vector<double>& values)
{
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double rest = 0; // by which rounding has moved it
    for (const double value : values)
        rest += value - mean;
    return mean + rest / static_cast<double>(values.size());
}

double deviationFrom(double mean, const std::vector<double>& values)
{
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

} // namespace

MeanInterval meanInterval(const std::vector<double>& values)
{
    const std::vector<double> finite = finiteOf(values);
    MeanInterval found { static_cast<std::int64_t>(finite.size()), kNan, kNan, kNan, kNan };
    if (finite.empty())
        return found;
    // Of equal values the mean is that value, not one that rounding has moved.
    const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
    found.mean = *least == *most ? *least : meanOf(finite);
    if (found.count < 2)
        return found;
    found.deviation = *least == *most ? 0 : deviationFrom(found.mean, finite);
    const double half = halfWidth(found.deviation, found.count);
    found.low = found.mean - half;
    found.high = found.mean + half;
    return found;
}

std::optional<PairedTest> pairedTest(const std::vector<double>& differences)
{
    const MeanInterval difference = meanInterval(differences);
    if (difference.count < 2)
        return std::nullopt;
    const double error = difference.deviation / std::sqrt(static_cast<double>(difference.count));
    const double t = difference.mean / error;
    return PairedTest { difference, t, outsideOfStudentT(t, difference.count - 1) };
}

std::optional<std::int64_t> countToExcludeZero(double mean, double deviation, std::int64_t most)
{
    if (mean == 0 || !std::isfinite(mean) || !std::isfinite(deviation))
        return std::nullopt;
    const auto excludes = [&](std::int64_t count) {
        return halfWidth(deviation, count) < std::abs(mean);
    };
    if (most < 2 || !excludes(most))
        return std::nullopt;
    // The interval narrows with each further value.
    std::int64_t low = 1;
    std::int64_t high = most;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (excludes(middle) ? high : low) = middle;
    }
    return high;
}

} // namespace accrue
