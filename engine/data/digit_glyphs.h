// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace accrue {

// A point of a glyph in hundredths of its box: x to the right, y downwards.
struct GlyphPoint {
    std::int32_t x = 0;
    std::int32_t y = 0;
};

// One way to write a digit. A stroke is a smooth curve through the points that its indices name;
// strokes that share a point meet in a corner, wherever that point is moved.
struct Glyph {
    std::vector<GlyphPoint> points;
    std::vector<std::vector<int>> strokes;
};

// The ways to write `digit` (0 to 9), at least three each. Constant; any thread.
const std::vector<Glyph>& glyphsOf(int digit);

} // namespace accrue
