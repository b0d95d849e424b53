// SPDX-License-Identifier: Apache-2.0
#include "ui/run/smoothing.h"

#include <cmath>

namespace accrue {

double Smoother::next(double value)
{
    // One NaN would otherwise make all later values NaN.
    if (!std::isfinite(value))
        return value;
    // The correction by 1 − w^t is that of Adam's moments; without it the first values would be
    // pulled towards the zero that the sum begins with.
    m_sum = m_weight * m_sum + (1 - m_weight) * value;
    m_decay *= m_weight;
    return m_sum / (1 - m_decay);
}

std::vector<SeriesPoint> smoothed(const std::vector<SeriesPoint>& points, double weight)
{
    std::vector<SeriesPoint> out = points;
    Smoother smoother(weight);
    for (SeriesPoint& point : out)
        point.y = smoother.next(point.y);
    return out;
}

} // namespace accrue
