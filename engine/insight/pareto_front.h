// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/metrics.h"

#include <vector>

namespace accrue {

// For each point, whether it is on the Pareto front: no other point is at least as good in every
// number and better in one. Of two equal points either both are or neither is. A point with a
// number that is not finite is not, and hides no other. `better` has a direction for each number; a
// number with Better::Neither decides nothing. All points have as many numbers. Pure; O(n²) at
// most.
std::vector<bool> paretoFront(
    const std::vector<std::vector<double>>& points, const std::vector<Better>& better);

} // namespace accrue
