// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/beta_share.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {
namespace {

// From there on, Stirling's series with four terms is exact.
constexpr double kLarge = 50;

double logGamma(double x)
{
    int sign = 0;
    return lgamma_r(x, &sign); // std::lgamma writes a global variable
}

// What Stirling's formula leaves of ln Γ(x).
double stirlingRest(double x)
{
    const double square = 1 / (x * x);
    return (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / x;
}

// ln(Γ(a) / Γ(a + b)). The two logarithms of a large a are nearly equal, so their difference is
// written without them.
double logGammaRatio(double a, double b)
{
    if (a < kLarge)
        return logGamma(a) - logGamma(a + b);
    return b - (a - 0.5) * std::log1p(b / a) - b * std::log(a + b) + stirlingRest(a)
        - stirlingRest(a + b);
}

double logBeta(double a, double b)
{
    return logGammaRatio(std::max(a, b), std::min(a, b)) + logGamma(std::min(a, b));
}

double logOf(double x, double complement)
{
    return x > 0.5 ? std::log1p(-complement) : std::log(x);
}

double awayFromZero(double value)
{
    constexpr double kTiny = 1e-300;
    return std::abs(value) < kTiny ? kTiny : value;
}

double continuedFraction(double x, double a, double b)
{
    constexpr int kMost = 100'000;
    double c = 1;
    double d = 1 / awayFromZero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m <= kMost; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / awayFromZero(1 + even * d);
        c = awayFromZero(1 + even / c);
        fraction *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / awayFromZero(1 + odd * d);
        c = awayFromZero(1 + odd / c);
        fraction *= d * c;
        if (std::abs(d * c - 1) < std::numeric_limits<double>::epsilon())
            break;
    }
    return fraction;
}

} // namespace

double logOfBetaStep(double x, double complement, double a, double b)
{
    return a * logOf(x, complement) + b * logOf(complement, x) - std::log(a) - logBeta(a, b);
}

double betaShare(double x, double complement, double a, double b)
{
    if (x <= 0 || complement <= 0)
        return x <= 0 ? 0 : 1;
    // The fraction converges fast below the mean; above it, the other end is counted.
    if (x > (a + 1) / (a + b + 2))
        return 1
            - std::exp(logOfBetaStep(complement, x, b, a)) * continuedFraction(complement, b, a);
    return std::exp(logOfBetaStep(x, complement, a, b)) * continuedFraction(x, a, b);
}

} // namespace accrue
