// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/parameter_histogram.h"

#include <cstddef>
#include <vector>

namespace accrue {

// Where the finite numbers of a histogram are, as if those of a bin were spread evenly over it.
// Numbers that are not finite are not counted. Pure.

// The number that `share` (0 to 1) of them are below; NaN: there are none.
double quantileOf(const ParameterHistogram& histogram, double share);

// The share of them in each of `bins` equal bins from `low` to `high`, which is greater. What is
// outside is in none, so that the shares of a range that holds all of them add up to 1.
std::vector<double> sharesIn(
    const ParameterHistogram& histogram, double low, double high, std::size_t bins);

} // namespace accrue
