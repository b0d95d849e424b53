// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/metric_over_metric.h"

#include <algorithm>
#include <cmath>

namespace accrue {

JoinedCurve joined(const CurveLevels& xs, const CurveLevels& ys, std::size_t most)
{
    JoinedCurve curve;
    const std::size_t stride = std::max<std::size_t>(1, ys.size() / std::max<std::size_t>(1, most));
    for (std::size_t i = 0; i < ys.size(); i += stride) {
        const SeriesPoint y = ys.at(i);
        std::size_t place = xs.firstFrom(y.x);
        const bool isThere = place < xs.size() && xs.at(place).x == y.x;
        if (!isThere && place == 0)
            continue; // nothing was measured before
        const double x = xs.at(isThere ? place : place - 1).y;
        if (!std::isfinite(x))
            continue;
        curve.isLine = curve.isLine && (curve.points.empty() || curve.points.back().x <= x);
        curve.points.push_back({ x, y.y });
    }
    std::stable_sort(curve.points.begin(), curve.points.end(),
        [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
    return curve;
}

} // namespace accrue
