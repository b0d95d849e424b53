// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace accrue {

// How much of a number's variance one key explains: the one-way analysis of variance. All
// functions are pure.

// With SS the sums of squares between the groups and within them, n values in k groups:
//
//   η² = SS_between / (SS_between + SS_within)
//   ω² = (SS_between - (k - 1) · MS) / (SS_between + SS_within + MS),   MS = SS_within / (n - k)
//   F  = SS_between / (k - 1) / MS
//
// The interval is that of η² with 95 %: the noncentralities λ with which F would be as high, or as
// low, in 2.5 % of all cases, as λ / (λ + n) (Steiger 2004, doi 10.1037/1082-989X.9.2.164).
struct OneWayEffect {
    std::int64_t count = 0; // n
    std::int64_t groups = 0; // k
    double eta = 0; // η², which grows with every further group; NaN if all values are equal
    double omega = 0; // ω², corrected for that, at least 0; NaN without two values in one group
    double low = 0; // of η²; NaN where ω² is
    double high = 0;
    double p = 0; // of F: that groups without an effect would give such a one; NaN where ω² is
};

// `groupOf` has the group of each value, numbers from 0. Values that are not finite are left out.
// With fewer than two groups, all figures are NaN.
OneWayEffect oneWayEffect(
    const std::vector<double>& values, const std::vector<std::size_t>& groupOf);

// P(F ≤ f) of the noncentral F distribution; noncentrality 0: of F itself.
double shareBelowF(double f, double between, double within, double noncentrality);

// Cramér's V of two groupings of the same things: 0 if the group in one says nothing about that in
// the other, 1 if one of them determines the other. NaN if one has a single group.
double cramersV(const std::vector<std::size_t>& one, const std::vector<std::size_t>& other);

} // namespace accrue
