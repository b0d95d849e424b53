// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/student_t.h"

#include "engine/insight/beta_share.h"

#include <algorithm>
#include <cmath>

namespace accrue {
namespace {

// From there on, the difference from the normal distribution is not visible.
constexpr std::int64_t kMostDegrees = 1'000'000;

double counted(std::int64_t degrees)
{
    return static_cast<double>(std::clamp<std::int64_t>(degrees, 1, kMostDegrees));
}

// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1.
double outside(double t, double degrees)
{
    const double whole = degrees + t * t;
    return betaShare(degrees / whole, t * t / whole, degrees / 2, 0.5);
}

} // namespace

double outsideOfStudentT(double t, std::int64_t degreesOfFreedom)
{
    if (!std::isfinite(t))
        return std::isnan(t) ? t : 0;
    return outside(t, counted(degreesOfFreedom));
}

double studentT(double probability, std::int64_t degreesOfFreedom)
{
    const double degrees = counted(degreesOfFreedom);
    const double wanted = 1 - probability;
    double low = 0;
    double high = 1;
    while (outside(high, degrees) > wanted)
        high *= 2;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        (outside(middle, degrees) > wanted ? low : high) = middle;
    }
    return high;
}

} // namespace accrue
