// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace accrue {

// The t for which a Student-distributed value with that many degrees of freedom (≥ 1) lies within
// ±t with `probability` (0 < probability < 1): 12.706 for 0.95 and 1, 1.960 for 0.95 and infinitely
// many. Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4, inverted.
double studentT(double probability, std::int64_t degreesOfFreedom);

} // namespace accrue
