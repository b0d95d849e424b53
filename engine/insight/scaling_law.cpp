// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/scaling_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>

namespace accrue {
namespace {

constexpr std::size_t kConstants = 4;
using Row = std::array<double, kConstants>; // what c, u, α and 1/β are multiplied by

Row factorsOf(const ScalingPoint& point)
{
    const auto ranks = static_cast<double>(point.ranks);
    const auto steps = static_cast<double>(point.steps);
    const double sums = point.everyMicroBatch ? steps : 1;
    const double messages = 2 * (ranks - 1);
    return { steps, 1, (sums + steps + 1) * messages,
        sums * messages / ranks * point.gradientBytes };
}

ScalingLaw lawOf(const Row& constants)
{
    return { constants[0], constants[1], constants[2], constants[3] };
}

// Solves the symmetric system in place by elimination with pivots; false: it has no solution.
bool solve(std::vector<std::vector<double>>& system)
{
    const std::size_t size = system.size();
    for (std::size_t column = 0; column < size; ++column) {
        const auto pivot = std::max_element(system.begin() + static_cast<std::ptrdiff_t>(column),
            system.end(), [column](const auto& a, const auto& b) {
                return std::abs(a[column]) < std::abs(b[column]);
            });
        if (!(std::abs((*pivot)[column]) > 1e-12))
            return false;
        std::iter_swap(system.begin() + static_cast<std::ptrdiff_t>(column), pivot);
        for (std::size_t row = 0; row < size; ++row) {
            if (row == column)
                continue;
            const double factor = system[row][column] / system[column][column];
            for (std::size_t i = column; i <= size; ++i)
                system[row][i] -= factor * system[column][i];
        }
    }
    for (std::size_t row = 0; row < size; ++row)
        system[row][size] /= system[row][row];
    return true;
}

struct Fit {
    Row constants {};
    double squares = std::numeric_limits<double>::infinity(); // of relative errors
};

// Each row divided by the measured time, so that its error is a relative one.
std::vector<Row> relativeRows(const std::vector<ScalingPoint>& points)
{
    std::vector<Row> rows;
    for (const ScalingPoint& point : points) {
        Row row = factorsOf(point);
        for (double& factor : row)
            factor /= point.windowSeconds;
        rows.push_back(row);
    }
    return rows;
}

// Columns differ by ten orders of magnitude; those of the system have length 1.
Row lengthsOf(const std::vector<Row>& rows)
{
    Row lengths {};
    for (std::size_t i = 0; i < kConstants; ++i) {
        for (const Row& row : rows)
            lengths[i] += row[i] * row[i];
        lengths[i] = std::sqrt(lengths[i]);
    }
    return lengths;
}

// Least squares with these constants alone; the others are 0. Infinite squares: no solution, or a
// constant below 0.
Fit fitOf(const std::vector<Row>& rows, const Row& lengths, const std::vector<std::size_t>& used)
{
    std::vector<std::vector<double>> system(used.size(), std::vector<double>(used.size() + 1, 0));
    for (std::size_t i = 0; i < used.size(); ++i)
        for (const Row& row : rows) {
            const double mine = row[used[i]] / lengths[used[i]];
            for (std::size_t j = 0; j < used.size(); ++j)
                system[i][j] += mine * row[used[j]] / lengths[used[j]];
            system[i][used.size()] += mine;
        }
    Fit fit;
    if (!solve(system))
        return fit;
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (system[i][used.size()] < 0)
            return fit;
        fit.constants[used[i]] = system[i][used.size()] / lengths[used[i]];
    }
    fit.squares = 0;
    for (const Row& row : rows) {
        double sum = -1;
        for (std::size_t i = 0; i < kConstants; ++i)
            sum += row[i] * fit.constants[i];
        fit.squares += sum * sum;
    }
    return fit;
}

// The standard deviation of the relative errors.
double errorOf(const ScalingLaw& law, const std::vector<ScalingPoint>& points)
{
    double squares = 0;
    for (const ScalingPoint& point : points) {
        const double error = windowSeconds(law, point) / point.windowSeconds - 1;
        squares += error * error;
    }
    const auto free = static_cast<double>(points.size()) - static_cast<double>(kConstants);
    return std::sqrt(squares / std::max(1.0, free));
}

bool haveTwoSteps(const std::vector<ScalingPoint>& points)
{
    return std::any_of(points.begin(), points.end(),
        [&](const ScalingPoint& point) { return point.steps != points.front().steps; });
}

std::vector<ScalingPoint> without(std::vector<ScalingPoint> points, std::size_t index)
{
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(index));
    return points;
}

} // namespace

double windowSeconds(const ScalingLaw& law, const ScalingPoint& point)
{
    const Row factors = factorsOf(point);
    return factors[0] * law.microBatchSeconds + factors[1] * law.updateSeconds
        + factors[2] * law.latencySeconds + factors[3] * law.secondsPerByte;
}

double efficiency(const ScalingLaw& law, const ScalingPoint& point)
{
    ScalingPoint alone = point;
    alone.ranks = 1;
    return windowSeconds(law, alone) / windowSeconds(law, point);
}

// Four constants have fifteen subsets: all of them are tried, and the best without a constant below
// 0 is the solution.
std::optional<ScalingLaw> fitScaling(const std::vector<ScalingPoint>& points)
{
    if (points.size() < 2 || !haveTwoSteps(points))
        return {};
    const std::vector<Row> rows = relativeRows(points);
    const Row lengths = lengthsOf(rows);
    Fit best;
    for (unsigned subset = 1; subset < (1U << kConstants); ++subset) {
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < kConstants; ++i)
            if ((subset >> i & 1U) != 0 && lengths[i] > 0)
                used.push_back(i);
        if (used.empty())
            continue;
        if (const Fit fit = fitOf(rows, lengths, used); fit.squares < best.squares)
            best = fit;
    }
    return std::isfinite(best.squares) ? std::optional(lawOf(best.constants)) : std::nullopt;
}

std::vector<double> heldOutErrors(const std::vector<ScalingPoint>& points)
{
    std::vector<double> errors;
    for (std::size_t i = 0; points.size() >= 3 && i < points.size(); ++i)
        if (const auto law = fitScaling(without(points, i)))
            errors.push_back(
                std::abs(windowSeconds(*law, points[i]) / points[i].windowSeconds - 1));
    return errors;
}

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The parametric bootstrap (Efron and Tibshirani 1993, section 6.5): the law is fitted again to
// points that it makes itself, with errors as large as those of the measured ones.
ScalingPrediction predicted(const std::vector<ScalingPoint>& points, const ScalingPoint& wanted)
{
    constexpr int kRefits = 400;
    const auto law = fitScaling(points);
    if (!law)
        return {};
    const double error = errorOf(*law, points);
    std::mt19937 random(1); // the same range each time
    std::normal_distribution<double> normal(0, error);
    std::vector<double> found;
    for (int refit = 0; refit < kRefits; ++refit) {
        std::vector<ScalingPoint> made = points;
        for (ScalingPoint& point : made)
            point.windowSeconds = windowSeconds(*law, point) * std::max(0.01, 1 + normal(random));
        if (const auto other = fitScaling(made))
            found.push_back(efficiency(*other, wanted));
    }
    std::sort(found.begin(), found.end());
    const double own = efficiency(*law, wanted);
    if (found.empty())
        return { own, own, own };
    const std::size_t tail = found.size() / 40; // 2.5 %
    return { own, std::min(own, found[tail]), std::max(own, found[found.size() - 1 - tail]) };
}

std::optional<std::int64_t> stepsForEfficiency(
    const ScalingLaw& law, ScalingPoint point, double wanted, std::int64_t most)
{
    for (point.steps = 1; point.steps <= most; ++point.steps)
        if (efficiency(law, point) >= wanted)
            return point.steps;
    return {};
}

} // namespace accrue
