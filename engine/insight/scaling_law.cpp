// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/scaling_law.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace accrue {
namespace {

std::size_t linksOf(const std::vector<ScalingPoint>& points)
{
    std::size_t most = 0;
    for (const ScalingPoint& point : points)
        most = std::max({ most, point.link, point.linkWithin });
    return most + 1;
}

// What c, u, and each link's α and 1/β are multiplied by.
std::vector<double> factorsOf(const ScalingPoint& point, std::size_t links)
{
    std::vector<double> factors(2 + 2 * links, 0);
    factors[0] = static_cast<double>(point.steps);
    factors[1] = 1;
    const auto add = [&](std::size_t link, const LinkTraffic& traffic) {
        if (link < links) {
            factors[2 + 2 * link] += traffic.messages;
            factors[3 + 2 * link] += traffic.bytes;
        }
    };
    const WindowTraffic traffic = trafficOf(point);
    add(point.link, traffic.between);
    add(point.linkWithin, traffic.within);
    return factors;
}

// Divided by the measured time, so that its error is a relative one.
Equation equationOf(const ScalingPoint& point, std::size_t links)
{
    Equation equation { factorsOf(point, links), 1 };
    for (double& factor : equation.factors)
        factor /= point.windowSeconds;
    return equation;
}

ScalingLaw lawOf(const std::vector<double>& constants)
{
    ScalingLaw law { constants[0], constants[1] };
    for (std::size_t i = 2; i < constants.size(); i += 2)
        law.links.push_back({ constants[i], constants[i + 1] });
    return law;
}

bool haveTwoSteps(const std::vector<ScalingPoint>& points)
{
    return std::any_of(points.begin(), points.end(),
        [&](const ScalingPoint& point) { return point.steps != points.front().steps; });
}

std::vector<ScalingPoint> without(std::vector<ScalingPoint> points, std::size_t index)
{
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(index));
    return points;
}

} // namespace

double windowSeconds(const ScalingLaw& law, const ScalingPoint& point)
{
    const std::vector<double> factors = factorsOf(point, law.links.size());
    double seconds = factors[0] * law.microBatchSeconds + factors[1] * law.updateSeconds;
    for (std::size_t i = 0; i < law.links.size(); ++i)
        seconds += factors[2 + 2 * i] * law.links[i].latencySeconds
            + factors[3 + 2 * i] * law.links[i].secondsPerByte;
    return seconds;
}

double efficiency(const ScalingLaw& law, const ScalingPoint& point)
{
    ScalingPoint alone = point;
    alone.ranks = 1;
    alone.perMachine = 1;
    const double seconds = windowSeconds(law, point);
    return seconds > 0 ? windowSeconds(law, alone) / seconds : 1;
}

std::optional<ScalingLaw> fitScaling(const std::vector<ScalingPoint>& points)
{
    if (points.size() < 2 || !haveTwoSteps(points))
        return {};
    const std::size_t links = linksOf(points);
    std::vector<Equation> equations;
    equations.reserve(points.size());
    for (const ScalingPoint& point : points)
        equations.push_back(equationOf(point, links));
    return lawOf(robustLeastSquares(equations));
}

std::vector<double> heldOutErrors(const std::vector<ScalingPoint>& points)
{
    std::vector<double> errors;
    for (std::size_t i = 0; points.size() >= 3 && i < points.size(); ++i) {
        const auto law = fitScaling(without(points, i));
        errors.push_back(law
                ? std::abs(windowSeconds(*law, points[i]) / points[i].windowSeconds - 1)
                : std::numeric_limits<double>::quiet_NaN());
    }
    return errors;
}

} // namespace accrue
