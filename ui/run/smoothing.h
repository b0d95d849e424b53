// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <vector>

namespace accrue {

// The smoothing below, value by value.
class Smoother {
public:
    explicit Smoother(double weight = 0)
        : m_weight(weight)
    {
    }
    double weight() const { return m_weight; }
    double next(double value);

private:
    double m_weight;
    double m_sum = 0;
    double m_decay = 1; // w^t
};

// Exponential smoothing with weight w in [0, 1), corrected for its start at zero:
//   s_0 = 0,  s_t = w·s_{t-1} + (1 − w)·y_t,  out_t = s_t / (1 − w^t)
// The first value remains as it is, and so does a constant series. Values that are not finite
// remain in their place and do not enter s or t. Pure.
std::vector<SeriesPoint> smoothed(const std::vector<SeriesPoint>& points, double weight);

} // namespace accrue
