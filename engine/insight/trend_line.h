// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace accrue {

// The straight line through points with the least squares of errors in y:
//
//   y = intercept + slope · x,   r² = 1 - Σ (y - ŷ)² / Σ (y - ȳ)²
struct TrendLine {
    double slope = 0;
    double intercept = 0;
    std::optional<double> rSquared; // empty: all y are equal
    std::int64_t count = 0; // n, of points

    double at(double x) const { return intercept + slope * x; }
    // Half of the interval around at(x) that contains the line of all such points in 95 % of all
    // cases, if errors are normally distributed and alike everywhere:
    //
    //   t(0.95, n - 2) · s · √(1/n + (x - x̄)² / Σ (x - x̄)²),   s² = Σ (y - ŷ)² / (n - 2)
    double halfAt(double x) const;

    // What halfAt() needs.
    double meanX = 0;
    double squaresX = 0; // Σ (x - x̄)²
    double deviation = 0; // s
    double t = 0;
};

// How many different x a trend needs: a line through two has no error to judge it by.
inline constexpr int kLeastTrendPlaces = 3;

int placesOf(const std::vector<std::pair<double, double>>& points); // different x that are finite

// Points with a number that is not finite are left out. Empty: fewer than kLeastTrendPlaces
// different x. Pure.
std::optional<TrendLine> trendOf(const std::vector<std::pair<double, double>>& points); // x, y

} // namespace accrue
