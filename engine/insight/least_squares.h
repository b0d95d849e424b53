// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace accrue {

// One equation: the sum of factors[i] · x[i] should be `wanted`.
struct Equation {
    std::vector<double> factors;
    double wanted = 0;
};

// The x with the least squares of errors of which none is below 0 (Lawson and Hanson, Solving Least
// Squares Problems, 1974, chapter 23). All equations have as many factors. An unknown that the
// equations do not determine is 0. Pure; the time is that of some solutions of a system of the
// unknowns.
std::vector<double> leastSquares(const std::vector<Equation>& equations);

// The same, except that an equation with an error above 1.345 standard deviations counts in
// proportion to its error, not to its square (Huber 1964, doi 10.1214/aoms/1177703732): one
// measurement that was disturbed moves the others little. The deviation is 1.4826 times the median
// error.
std::vector<double> robustLeastSquares(const std::vector<Equation>& equations);

double errorOf(const Equation& equation, const std::vector<double>& solution);
double medianOf(std::vector<double> values); // NaN of none

} // namespace accrue
