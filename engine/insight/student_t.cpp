// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/student_t.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace accrue {
namespace {

// From there on, the difference from the normal distribution is not visible.
constexpr std::int64_t kMostDegrees = 1000;

// P(|T| ≤ t) by the finite sums for whole degrees of freedom.
double within(double t, std::int64_t degrees)
{
    const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
    const double square = std::cos(angle) * std::cos(angle);
    const bool odd = degrees % 2 != 0;
    double term = odd ? std::cos(angle) : 1.0;
    double sum = degrees == 1 ? 0.0 : term;
    for (std::int64_t factor = odd ? 2 : 1; factor + 1 < degrees - 1; factor += 2) {
        term *= square * static_cast<double>(factor) / static_cast<double>(factor + 1);
        sum += term;
    }
    const double share = std::sin(angle) * sum;
    return odd ? 2.0 / std::numbers::pi * (angle + share) : share;
}

} // namespace

double studentT(double probability, std::int64_t degreesOfFreedom)
{
    const std::int64_t degrees = std::min(degreesOfFreedom, kMostDegrees);
    double low = 0;
    double high = 1;
    while (within(high, degrees) < probability)
        high *= 2;
    for (int halving = 0; halving < 100; ++halving) {
        const double middle = (low + high) / 2;
        (within(middle, degrees) < probability ? low : high) = middle;
    }
    return high;
}

} // namespace accrue
