// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The known dotted key that a mistyped one was probably meant to be: the nearest by edit distance,
// or the one with that last part ("lr", "train.lr" → "optimizer.lr"). Empty: none is near.
std::string nearestOf(std::string_view mistyped, const std::vector<std::string>& known);

} // namespace accrue
