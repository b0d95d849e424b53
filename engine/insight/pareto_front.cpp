// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/pareto_front.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace accrue {
namespace {

using Point = std::vector<double>;

// With "lower is better" in every number, and without those that decide nothing.
Point turned(const Point& point, const std::vector<Better>& better)
{
    Point costs;
    for (std::size_t i = 0; i < better.size(); ++i)
        if (better[i] != Better::Neither)
            costs.push_back(better[i] == Better::Higher ? -point[i] : point[i]);
    return costs;
}

bool isFinite(const Point& point)
{
    return std::all_of(point.begin(), point.end(), [](double each) { return std::isfinite(each); });
}

bool dominates(const Point& one, const Point& other)
{
    bool better = false;
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (one[i] > other[i])
            return false;
        better = better || one[i] < other[i];
    }
    return better;
}

} // namespace

std::vector<bool> paretoFront(
    const std::vector<std::vector<double>>& points, const std::vector<Better>& better)
{
    std::vector<Point> costs;
    costs.reserve(points.size());
    for (const Point& point : points)
        costs.push_back(turned(point, better));
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t { 0 });
    std::erase_if(order, [&](std::size_t i) { return !isFinite(costs[i]); });
    // A point can only be dominated by one before it in this order, and then also by one of the
    // front that is before it.
    std::sort(order.begin(), order.end(),
        [&](std::size_t one, std::size_t other) { return costs[one] < costs[other]; });
    std::vector<bool> isOnFront(points.size(), false);
    std::vector<std::size_t> front;
    for (const std::size_t each : order)
        if (std::none_of(front.begin(), front.end(),
                [&](std::size_t other) { return dominates(costs[other], costs[each]); })) {
            isOnFront[each] = true;
            front.push_back(each);
        }
    return isOnFront;
}

} // namespace accrue
