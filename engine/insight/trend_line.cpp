// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/trend_line.h"

#include "engine/insight/student_t.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace accrue {
namespace {

using Points = std::vector<std::pair<double, double>>;

Points finite(Points points)
{
    std::erase_if(points, [](const auto& point) {
        return !std::isfinite(point.first) || !std::isfinite(point.second);
    });
    return points;
}

// Around the means: sums of squares of large numbers would lose the digits that matter.
struct PointSums {
    explicit PointSums(const Points& points);

    double meanX = 0;
    double meanY = 0;
    double xx = 0;
    double xy = 0;
    double yy = 0;
};

PointSums::PointSums(const Points& points)
{
    const auto count = static_cast<double>(points.size());
    for (const auto& [x, y] : points) {
        meanX += x / count;
        meanY += y / count;
    }
    for (const auto& [x, y] : points) {
        xx += (x - meanX) * (x - meanX);
        xy += (x - meanX) * (y - meanY);
        yy += (y - meanY) * (y - meanY);
    }
}

} // namespace

double TrendLine::halfAt(double x) const
{
    const double far = x - meanX;
    return t * deviation * std::sqrt(1 / static_cast<double>(count) + far * far / squaresX);
}

int placesOf(const Points& points)
{
    std::set<double> places;
    for (const auto& [x, y] : finite(points))
        places.insert(x);
    return static_cast<int>(places.size());
}

std::optional<TrendLine> trendOf(const Points& all)
{
    const Points points = finite(all);
    if (placesOf(points) < kLeastTrendPlaces)
        return std::nullopt;
    const PointSums sums(points);
    TrendLine line;
    line.slope = sums.xy / sums.xx;
    line.intercept = sums.meanY - line.slope * sums.meanX;
    line.count = static_cast<std::int64_t>(points.size());
    line.meanX = sums.meanX;
    line.squaresX = sums.xx;
    double errors = 0;
    for (const auto& [x, y] : points)
        errors += (y - line.at(x)) * (y - line.at(x));
    if (sums.yy > 0)
        line.rSquared = std::clamp(1 - errors / sums.yy, 0.0, 1.0);
    line.deviation = std::sqrt(errors / static_cast<double>(line.count - 2));
    line.t = studentT(0.95, line.count - 2);
    return line;
}

} // namespace accrue
