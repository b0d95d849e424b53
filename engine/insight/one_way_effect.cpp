// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/one_way_effect.h"

#include "engine/insight/beta_share.h"
#include "engine/insight/mean_interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace accrue {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTail = 0.025; // on each side of the interval

using Groups = std::map<std::size_t, std::vector<double>>;

Groups groupsOf(const std::vector<double>& values, const std::vector<std::size_t>& groupOf)
{
    Groups groups;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i]))
            groups[groupOf[i]].push_back(values[i]);
    return groups;
}

// Sums of squares; both exactly 0 where there is no difference.
struct Squares {
    double between = 0;
    double within = 0;
};

double squaresOf(const std::vector<double>& values)
{
    const MeanInterval all = meanInterval(values);
    if (all.count < 2)
        return 0;
    return all.deviation * all.deviation * static_cast<double>(all.count - 1);
}

Squares squaresOf(const Groups& groups, const std::vector<double>& values)
{
    Squares squares;
    const double mean = meanInterval(values).mean;
    if (squaresOf(values) == 0)
        return squares;
    for (const auto& [group, some] : groups) {
        const double step = meanInterval(some).mean - mean;
        squares.between += static_cast<double>(some.size()) * step * step;
        squares.within += squaresOf(some);
    }
    return squares;
}

// ln of the Poisson probability, but for a factor that all j share.
double logOfPoisson(double j, double mean)
{
    int sign = 0;
    return j * std::log(mean) - lgamma_r(j + 1, &sign);
}

struct Share { // of F: where the beta function is evaluated, and its second parameter
    double x = 0;
    double complement = 0;
    double b = 0;
};

// The mixture of I_x(a + j, b) with the weights of a Poisson distribution (Abramowitz and Stegun,
// 26.6.18). From the last weight that counts downwards, because I_x(a, b) is I_x(a + 1, b) and a
// positive step, so that no digits are lost.
double mixtureOf(const Share& at, double a, double mean)
{
    const double reach = 10 * std::sqrt(mean) + 40;
    const double last = std::floor(mean + reach);
    const double first = std::max(0.0, std::floor(mean - reach));
    double weight = logOfPoisson(last, mean) - logOfPoisson(std::floor(mean), mean);
    double part = betaShare(at.x, at.complement, a + last, at.b);
    double step = logOfBetaStep(at.x, at.complement, a + last - 1, at.b);
    double sum = 0;
    double weights = 0;
    for (double j = last; j >= first; --j) {
        sum += std::exp(weight) * part;
        weights += std::exp(weight);
        weight += std::log(std::max(j, 1.0) / mean);
        part += std::exp(step);
        if (j - 1 > first)
            step += std::log((a + j - 1) / (at.x * (a + j + at.b - 2)));
    }
    return sum / weights;
}

// The noncentrality for which P(F ≤ f) is `share`; 0 if it is lower without any.
double noncentralityOf(double f, double between, double within, double share)
{
    if (shareBelowF(f, between, within, 0) <= share)
        return 0;
    double low = 0;
    double high = 1;
    while (shareBelowF(f, between, within, high) > share)
        high *= 2;
    for (int halving = 0; halving < 60 && high - low > 1e-13 * high; ++halving) {
        const double middle = (low + high) / 2;
        (shareBelowF(f, between, within, middle) > share ? low : high) = middle;
    }
    return high;
}

void estimateInterval(OneWayEffect& effect, const Squares& squares)
{
    const double between = static_cast<double>(effect.groups - 1);
    const double within = static_cast<double>(effect.count - effect.groups);
    const double count = static_cast<double>(effect.count);
    const double meanSquare = squares.within / within;
    effect.omega = std::max(0.0,
        (squares.between - between * meanSquare) / (squares.between + squares.within + meanSquare));
    // Beyond this, the interval has no width that a digit shows.
    constexpr double kMostF = 1e7;
    const double f = squares.between / between / meanSquare;
    effect.p = shareBelowF(1 / f, within, between, 0); // the upper tail is the lower one of 1 / F
    if (f > kMostF) {
        effect.low = effect.high = effect.eta;
        return;
    }
    const auto share = [count](double noncentrality) {
        return noncentrality / (noncentrality + count);
    };
    effect.low = share(noncentralityOf(f, between, within, 1 - kTail));
    effect.high = share(noncentralityOf(f, between, within, kTail));
}

} // namespace

double shareBelowF(double f, double between, double within, double noncentrality)
{
    if (!(f > 0) || std::isinf(f))
        return std::isnan(f) ? f : f > 0 ? 1 : 0;
    const double whole = between * f + within;
    const Share at { between * f / whole, within / whole, within / 2 };
    if (noncentrality <= 0)
        return betaShare(at.x, at.complement, between / 2, at.b);
    return mixtureOf(at, between / 2, noncentrality / 2);
}

OneWayEffect oneWayEffect(
    const std::vector<double>& values, const std::vector<std::size_t>& groupOf)
{
    const Groups groups = groupsOf(values, groupOf);
    OneWayEffect effect { 0, static_cast<std::int64_t>(groups.size()), kNan, kNan, kNan, kNan,
        kNan };
    std::vector<double> finite;
    for (const auto& [group, some] : groups)
        finite.insert(finite.end(), some.begin(), some.end());
    effect.count = static_cast<std::int64_t>(finite.size());
    const Squares squares = squaresOf(groups, finite);
    if (effect.groups < 2 || squares.between + squares.within == 0)
        return effect;
    effect.eta = squares.between / (squares.between + squares.within);
    if (effect.count > effect.groups)
        estimateInterval(effect, squares);
    return effect;
}

double cramersV(const std::vector<std::size_t>& one, const std::vector<std::size_t>& other)
{
    std::map<std::size_t, double> rows;
    std::map<std::size_t, double> columns;
    std::map<std::pair<std::size_t, std::size_t>, double> cells;
    for (std::size_t i = 0; i < one.size(); ++i) {
        ++rows[one[i]];
        ++columns[other[i]];
        ++cells[{ one[i], other[i] }];
    }
    const std::size_t least = std::min(rows.size(), columns.size());
    if (least < 2)
        return kNan;
    // χ² / n = Σ observed² / (row · column) - 1
    double sum = -1;
    for (const auto& [cell, observed] : cells)
        sum += observed * observed / (rows[cell.first] * columns[cell.second]);
    return std::sqrt(std::max(0.0, sum) / static_cast<double>(least - 1));
}

} // namespace accrue
