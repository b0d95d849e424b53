// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace accrue {

// Student's t distribution. More than a million degrees of freedom count as a million.

// The t for which a Student-distributed value with that many degrees of freedom (≥ 1) lies within
// ±t with `probability` (0 < probability < 1): 12.706 for 0.95 and 1, 1.960 for 0.95 and infinitely
// many.
double studentT(double probability, std::int64_t degreesOfFreedom);

// The probability that such a value lies outside of ±|t|: the two-sided p of a t test.
double outsideOfStudentT(double t, std::int64_t degreesOfFreedom);

} // namespace accrue
