// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/update_time.h"

#include "engine/insight/student_t.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace accrue {

namespace {

constexpr double kProbability = 0.95;
constexpr std::size_t kUnknowns = 3; // α, β, γ
constexpr std::int64_t kFewestRuns = kUnknowns + 2; // with less, the interval is wider than useful

using Vector = std::array<double, kUnknowns>;
using Matrix = std::array<Vector, kUnknowns>;

template <typename Split> Vector factorsOf(const Split& split) // a run or a plan
{
    return { 1, static_cast<double>(split.steps), static_cast<double>(split.effective) };
}

double product(const Vector& a, const Vector& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < kUnknowns; ++i)
        sum += a[i] * b[i];
    return sum;
}

Vector product(const Matrix& matrix, const Vector& vector)
{
    return { product(matrix[0], vector), product(matrix[1], vector), product(matrix[2], vector) };
}

// By Gauss and Jordan; empty: it has none. The matrix is symmetric, with ones on its diagonal.
std::optional<Matrix> inverseOf(Matrix matrix)
{
    constexpr double kLeastPivot = 1e-10;
    Matrix inverse {};
    for (std::size_t i = 0; i < kUnknowns; ++i)
        inverse[i][i] = 1;
    for (std::size_t pivot = 0; pivot < kUnknowns; ++pivot) {
        const double divisor = matrix[pivot][pivot];
        if (!(divisor > kLeastPivot))
            return {};
        for (std::size_t column = 0; column < kUnknowns; ++column) {
            matrix[pivot][column] /= divisor;
            inverse[pivot][column] /= divisor;
        }
        for (std::size_t row = 0; row < kUnknowns; ++row) {
            const double share = matrix[row][pivot];
            for (std::size_t column = 0; row != pivot && column < kUnknowns; ++column) {
                matrix[row][column] -= share * matrix[pivot][column];
                inverse[row][column] -= share * inverse[pivot][column];
            }
        }
    }
    return inverse;
}

// Of the runs' equations, each divided by its time, with columns of length 1.
class Regression {
public:
    explicit Regression(const std::vector<TimedUpdates>& runs)
    {
        for (const TimedUpdates& run : runs)
            for (std::size_t i = 0; i < kUnknowns; ++i)
                m_scale[i] += std::pow(factorsOf(run)[i] / run.seconds, 2);
        for (double& scale : m_scale)
            scale = std::sqrt(scale);
        Matrix normal {};
        Vector wanted {};
        for (const TimedUpdates& run : runs)
            add(scaled(factorsOf(run)), run.seconds, normal, wanted);
        m_inverse = inverseOf(normal);
        if (!m_inverse)
            return;
        m_solution = product(*m_inverse, wanted);
        for (const TimedUpdates& run : runs)
            m_squares += std::pow(at(scaled(factorsOf(run))) / run.seconds - 1, 2);
        m_freedom = std::ssize(runs) - static_cast<std::int64_t>(kUnknowns);
    }

    bool isDetermined() const { return m_inverse.has_value(); }

    UpdateTime predicted(const BatchPlan& plan) const
    {
        const Vector factors = scaled(factorsOf(plan));
        const double seconds = at(factors);
        const double deviation = std::sqrt(m_squares / static_cast<double>(m_freedom));
        const double half = studentT(kProbability, m_freedom) * deviation
            * std::sqrt(seconds * seconds + product(factors, product(*m_inverse, factors)));
        return { seconds, std::max(seconds - half, 0.0), seconds + half };
    }

private:
    static void add(const Vector& factors, double seconds, Matrix& normal, Vector& wanted)
    {
        for (std::size_t row = 0; row < kUnknowns; ++row) {
            wanted[row] += factors[row] / seconds;
            for (std::size_t column = 0; column < kUnknowns; ++column)
                normal[row][column] += factors[row] * factors[column] / (seconds * seconds);
        }
    }

    Vector scaled(Vector factors) const
    {
        for (std::size_t i = 0; i < kUnknowns; ++i)
            factors[i] /= m_scale[i];
        return factors;
    }

    double at(const Vector& scaledFactors) const { return product(scaledFactors, m_solution); }

    Vector m_scale {};
    std::optional<Matrix> m_inverse;
    Vector m_solution {};
    double m_squares = 0; // Σ (relative error)²
    std::int64_t m_freedom = 0;
};

UpdateTime meanOf(const std::vector<TimedUpdates>& runs)
{
    const auto count = static_cast<double>(runs.size());
    double mean = 0;
    for (const TimedUpdates& run : runs)
        mean += run.seconds / count;
    if (runs.size() == 1)
        return { mean };
    double squares = 0;
    for (const TimedUpdates& run : runs)
        squares += (run.seconds - mean) * (run.seconds - mean);
    const double half = studentT(kProbability, std::ssize(runs) - 1)
        * std::sqrt(squares / (count - 1) * (1 + 1 / count));
    return { mean, std::max(mean - half, 0.0), mean + half };
}

bool isWithin(
    const std::vector<TimedUpdates>& runs, std::int64_t TimedUpdates::*number, std::int64_t value)
{
    const auto [least, most] = std::minmax_element(runs.begin(), runs.end(),
        [&](const TimedUpdates& a, const TimedUpdates& b) { return a.*number < b.*number; });
    return value >= (*least).*number && value <= (*most).*number;
}

} // namespace

std::optional<UpdateTime> predictUpdateTime(
    const std::vector<TimedUpdates>& measured, const BatchPlan& plan)
{
    std::vector<TimedUpdates> runs = measured;
    std::erase_if(runs,
        [](const TimedUpdates& run) { return !(run.seconds > 0) || !std::isfinite(run.seconds); });
    std::vector<TimedUpdates> same = runs;
    std::erase_if(same, [&](const TimedUpdates& run) {
        return run.micro != plan.micro || run.steps != plan.steps
            || run.effective != plan.effective;
    });
    if (!same.empty())
        return meanOf(same);
    if (std::ssize(runs) < kFewestRuns || !isWithin(runs, &TimedUpdates::micro, plan.micro)
        || !isWithin(runs, &TimedUpdates::steps, plan.steps))
        return {};
    const Regression regression(runs);
    if (!regression.isDetermined() || !(regression.predicted(plan).seconds > 0))
        return {};
    return regression.predicted(plan);
}

} // namespace accrue
