// SPDX-License-Identifier: Apache-2.0
#include "ui/run/smoothing.h"

#include <cmath>

namespace accrue {

std::vector<SeriesPoint> smoothed(const std::vector<SeriesPoint>& points, double weight)
{
    std::vector<SeriesPoint> out = points;
    double sum = 0;
    double decay = 1; // w^t
    for (SeriesPoint& point : out) {
        if (!std::isfinite(point.y))
            continue;
        sum = weight * sum + (1 - weight) * point.y;
        decay *= weight;
        point.y = sum / (1 - decay);
    }
    return out;
}

} // namespace accrue
