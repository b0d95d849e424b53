// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/least_squares.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

namespace accrue {
namespace {

constexpr double kSingular = 1e-10; // beside 1, the largest value of a normal equation
constexpr double kHuber = 1.345; // 95 % of the efficiency of least squares if errors are normal
constexpr double kDeviations = 1.4826; // in a median error, if they are
constexpr int kReweightings = 30;

using Rows = std::vector<std::vector<double>>;

// The normal equations, with columns of length 1: the unknowns differ by many orders of magnitude.
struct Normal {
    explicit Normal(const std::vector<Equation>& equations);

    Rows products; // of each two columns
    std::vector<double> wanted;
    std::vector<double> lengths;
};

Normal::Normal(const std::vector<Equation>& equations)
{
    const std::size_t size = equations.empty() ? 0 : equations.front().factors.size();
    products.assign(size, std::vector<double>(size, 0));
    wanted.assign(size, 0);
    lengths.assign(size, 0);
    for (const Equation& equation : equations)
        for (std::size_t i = 0; i < size; ++i)
            lengths[i] += equation.factors[i] * equation.factors[i];
    for (double& length : lengths)
        length = length > 0 ? std::sqrt(length) : 1;
    for (const Equation& equation : equations)
        for (std::size_t i = 0; i < size; ++i) {
            const double mine = equation.factors[i] / lengths[i];
            for (std::size_t j = 0; j < size; ++j)
                products[i][j] += mine * equation.factors[j] / lengths[j];
            wanted[i] += mine * equation.wanted;
        }
}

// Elimination with pivots; empty: the system has no single solution.
std::optional<std::vector<double>> solved(Rows system)
{
    const std::size_t size = system.size();
    for (std::size_t column = 0; column < size; ++column) {
        const auto pivot = std::max_element(system.begin() + static_cast<std::ptrdiff_t>(column),
            system.end(), [column](const auto& a, const auto& b) {
                return std::abs(a[column]) < std::abs(b[column]);
            });
        if (!(std::abs((*pivot)[column]) > kSingular))
            return {};
        std::iter_swap(system.begin() + static_cast<std::ptrdiff_t>(column), pivot);
        for (std::size_t row = 0; row < size; ++row) {
            if (row == column)
                continue;
            const double factor = system[row][column] / system[column][column];
            for (std::size_t i = column; i <= size; ++i)
                system[row][i] -= factor * system[column][i];
        }
    }
    std::vector<double> solution;
    for (std::size_t row = 0; row < size; ++row)
        solution.push_back(system[row][size] / system[row][row]);
    return solution;
}

// With these unknowns alone; the others are 0.
std::optional<std::vector<double>> solvedFor(
    const Normal& normal, const std::vector<std::size_t>& used)
{
    Rows system;
    for (const std::size_t row : used) {
        system.emplace_back();
        for (const std::size_t column : used)
            system.back().push_back(normal.products[row][column]);
        system.back().push_back(normal.wanted[row]);
    }
    return solved(std::move(system));
}

// The unknown outside `used` whose growth lessens the error most; empty: none does.
std::optional<std::size_t> nextUnknown(const Normal& normal, const std::vector<double>& solution,
    const std::vector<bool>& isUsed, const std::vector<bool>& isRefused)
{
    std::optional<std::size_t> best;
    double most = kSingular;
    for (std::size_t i = 0; i < solution.size(); ++i) {
        double slope = normal.wanted[i];
        for (std::size_t j = 0; j < solution.size(); ++j)
            slope -= normal.products[i][j] * solution[j];
        if (!isUsed[i] && !isRefused[i] && slope > most) {
            most = slope;
            best = i;
        }
    }
    return best;
}

std::vector<std::size_t> indexesOf(const std::vector<bool>& flags)
{
    std::vector<std::size_t> indexes;
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i])
            indexes.push_back(i);
    return indexes;
}

// Goes from `solution` towards the best values of the used unknowns, and drops each that would fall
// below 0 on the way. False: the used ones have no single solution.
bool improve(const Normal& normal, std::vector<double>& solution, std::vector<bool>& isUsed)
{
    while (true) {
        const std::vector<std::size_t> used = indexesOf(isUsed);
        const auto wanted = solvedFor(normal, used);
        if (!wanted)
            return false;
        double share = 1; // of the way
        for (std::size_t i = 0; i < used.size(); ++i)
            if ((*wanted)[i] <= 0)
                share = std::min(share, solution[used[i]] / (solution[used[i]] - (*wanted)[i]));
        bool isWhole = true;
        for (std::size_t i = 0; i < used.size(); ++i) {
            double& value = solution[used[i]];
            value += share * ((*wanted)[i] - value);
            if ((*wanted)[i] <= 0 && value <= kSingular) {
                value = 0;
                isUsed[used[i]] = false;
                isWhole = false;
            }
        }
        if (isWhole)
            return true;
    }
}

bool areSame(const std::vector<double>& before, const std::vector<double>& after)
{
    constexpr double kRelative = 1e-9;
    for (std::size_t i = 0; i < after.size(); ++i)
        if (std::abs(after[i] - before[i]) > kRelative * after[i])
            return false;
    return true;
}

std::vector<Equation> weighted(
    const std::vector<Equation>& equations, const std::vector<double>& solution, double deviation)
{
    std::vector<Equation> all = equations;
    for (Equation& equation : all) {
        const double error = std::abs(errorOf(equation, solution));
        const double weight =
            std::sqrt(std::min(1.0, kHuber * deviation / std::max(error, 1e-300)));
        for (double& factor : equation.factors)
            factor *= weight;
        equation.wanted *= weight;
    }
    return all;
}

} // namespace

std::vector<double> leastSquares(const std::vector<Equation>& equations)
{
    const Normal normal(equations);
    const std::size_t size = normal.wanted.size();
    std::vector<double> solution(size, 0);
    std::vector<bool> isUsed(size, false);
    std::vector<bool> isRefused(size, false); // not determined beside those that are used
    // Each unknown comes and goes a few times at most; the bound is against rounding alone.
    for (std::size_t turn = 0; turn < 10 * size; ++turn) {
        const auto next = nextUnknown(normal, solution, isUsed, isRefused);
        if (!next)
            break;
        isUsed[*next] = true;
        if (!improve(normal, solution, isUsed)) {
            isUsed[*next] = false;
            isRefused[*next] = true;
        } else if (!isUsed[*next]) {
            isRefused[*next] = true; // rounding: it fell at once
        }
    }
    for (std::size_t i = 0; i < size; ++i)
        solution[i] /= normal.lengths[i];
    return solution;
}

std::vector<double> robustLeastSquares(const std::vector<Equation>& equations)
{
    std::vector<double> solution = leastSquares(equations);
    for (int turn = 0; turn < kReweightings; ++turn) {
        std::vector<double> errors;
        errors.reserve(equations.size());
        for (const Equation& equation : equations)
            errors.push_back(std::abs(errorOf(equation, solution)));
        const double deviation = kDeviations * medianOf(errors);
        if (!(deviation > 1e-12)) // at least half of them are met exactly
            return solution;
        const std::vector<double> before = solution;
        solution = leastSquares(weighted(equations, solution, deviation));
        if (areSame(before, solution))
            return solution;
    }
    return solution;
}

double errorOf(const Equation& equation, const std::vector<double>& solution)
{
    double sum = -equation.wanted;
    for (std::size_t i = 0; i < solution.size(); ++i)
        sum += equation.factors[i] * solution[i];
    return sum;
}

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace accrue
