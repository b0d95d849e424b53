// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/scaling_forecast.h"

#include "engine/insight/student_t.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

namespace accrue {
namespace {

constexpr int kRefits = 400;
constexpr double kMostSteps = 1e6; // more are of no use to anybody
constexpr double kNormal95 = 1.96; // deviations on both sides that contain 95 %

// The standard deviation of the relative errors, widened as Student's t is beside a normal
// distribution, because it is known from few points.
double deviationOf(const ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    double squares = 0;
    for (const ScalingPoint& point : points) {
        const double error = windowSeconds(law, point) / point.windowSeconds - 1;
        squares += error * error;
    }
    const auto constants = static_cast<std::int64_t>(2 + 2 * law.links.size());
    const std::int64_t free = std::max<std::int64_t>(1, std::ssize(points) - constants);
    return std::sqrt(squares / static_cast<double>(free)) * studentT(0.95, free) / kNormal95;
}

// The ends of the middle 95 %.
template <typename Value> std::pair<Value, Value> middleOf(std::vector<Value> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t tail = values.size() / 40;
    return { values[tail], values[values.size() - 1 - tail] };
}

double secondsAt(const ScalingLaw& law, ScalingPoint point, std::int64_t steps)
{
    point.steps = steps;
    return windowSeconds(law, point);
}

// For sorting: what no number reaches is above all numbers.
double orInfinity(const std::optional<std::int64_t>& steps)
{
    return steps ? static_cast<double>(*steps) : HUGE_VAL;
}

std::optional<std::int64_t> orNone(double steps)
{
    return std::isfinite(steps) ? std::optional(std::llround(steps)) : std::nullopt;
}

} // namespace

std::optional<ScalingForecast> ScalingForecast::of(const std::vector<ScalingPoint>& points)
{
    const auto law = fitScaling(points);
    if (!law)
        return {};
    ScalingForecast forecast;
    forecast.m_law = *law;
    std::mt19937 random(1); // the same range each time
    std::normal_distribution<double> normal(0, deviationOf(*law, points));
    for (int refit = 0; refit < kRefits; ++refit) {
        std::vector<ScalingPoint> made = points;
        for (ScalingPoint& point : made)
            point.windowSeconds = windowSeconds(*law, point) * std::max(0.01, 1 + normal(random));
        if (const auto other = fitScaling(made))
            forecast.m_others.push_back(*other);
    }
    return forecast;
}

std::size_t ScalingForecast::addLink(const LinkConstants& constants)
{
    for (ScalingLaw& other : m_others)
        other.links.push_back(constants);
    m_law.links.push_back(constants);
    return m_law.links.size() - 1;
}

ScalingRange ScalingForecast::efficiencyAt(const ScalingPoint& wanted) const
{
    std::vector<double> found { efficiency(m_law, wanted) };
    for (const ScalingLaw& other : m_others)
        found.push_back(efficiency(other, wanted));
    const double own = found.front();
    const auto [least, most] = middleOf(std::move(found));
    return { own, std::min(own, least), std::max(own, most) };
}

StepsRange ScalingForecast::stepsFor(const ScalingPoint& point, double efficiency) const
{
    std::vector<double> found { orInfinity(stepsForEfficiency(m_law, point, efficiency)) };
    for (const ScalingLaw& other : m_others)
        found.push_back(orInfinity(stepsForEfficiency(other, point, efficiency)));
    const double own = found.front();
    const auto [least, most] = middleOf(std::move(found));
    return { orNone(own), orNone(std::min(own, least)), orNone(std::max(own, most)) };
}

// With T = n·N + f for one rank and m·N + g for all: n·N + f ≥ e·(m·N + g), so N ≥ (e·g − f) / (n −
// e·m).
std::optional<std::int64_t> stepsForEfficiency(
    const ScalingLaw& law, ScalingPoint point, double efficiency)
{
    ScalingPoint alone = point;
    alone.ranks = 1;
    alone.perMachine = 1;
    const double each = secondsAt(law, alone, 2) - secondsAt(law, alone, 1);
    const double once = secondsAt(law, alone, 1) - each;
    const double eachOfAll = secondsAt(law, point, 2) - secondsAt(law, point, 1);
    const double onceOfAll = secondsAt(law, point, 1) - eachOfAll;
    const double gain = each - efficiency * eachOfAll;
    const double debt = efficiency * onceOfAll - once;
    if (debt <= gain)
        return 1;
    const double steps = std::ceil(debt / gain - 1e-9); // against rounding
    return gain > 0 && steps <= kMostSteps ? std::optional(std::llround(steps)) : std::nullopt;
}

} // namespace accrue
