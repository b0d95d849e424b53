// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "engine/data/raw_data.h"

namespace accrue {

inline constexpr int kDigitSize = 28; // side in pixels
using DigitPicture = std::array<std::uint8_t, kDigitSize * kDigitSize>; // row by row, 0 is paper

// The built-in data set: 28 × 28 grey, 12,000 train and 2,000 test pictures, the digits in equal
// shares. Whole-number arithmetic only, so that every machine draws the same bytes; an experiment's
// seed does not affect them. With its digests. Blocks, 0.2 s on two cores.
RawData drawDigits();
// The same: a copy of what keepDigits drew, or drawn now; the second call keeps them. Any thread.
RawData builtInDigits();
// Draws them once for all later builtInDigits(): a window does this while nobody waits. The process
// retains 11 MB. Any thread.
void keepDigits();

// Everything about them but pixels, labels and digests, without drawing them.
RawData describedDigits();

} // namespace accrue
