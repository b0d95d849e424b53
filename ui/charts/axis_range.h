// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace accrue {

// The range of an axis: whole steps of a round number (1, 2, 2.5 or 5 times a power of ten), or
// decades on a logarithmic axis, where low, high and step are powers of ten as exponents.
struct AxisRange {
    double low = 0;
    double high = 1;
    double step = 0.2;
    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

enum class Grow {
    BothEnds,
    HighOnly, // the low end is where the data begins, for x axes
};

// The range for data in [low, high]. With a `previous` range the answer is the same as long as the
// data fits into it and fills more than a third of it, so that an axis which follows live data
// rarely changes. Pure.
AxisRange niceRange(double low, double high, const std::optional<AxisRange>& previous = {},
    Grow grow = Grow::BothEnds);

// How many bytes the unit has (B, KiB, MiB …) in which values up to `highest` are read.
double byteUnit(double highest);

// Ticks within [low, high] at about `wanted` round places; for any window, also a zoomed one.
std::vector<double> niceTicks(double low, double high, int wanted);
// The same for bytes: round numbers of KiB, MiB or GiB.
std::vector<double> byteTicks(double low, double high, int wanted);

// Ticks of a logarithmic axis, passed and returned as exponents of ten: decades, with 2 and 5
// between them if there is space, or 3 if there would be only one decade. If fewer than three of
// them are visible within a decade: round numbers, as on a linear axis.
std::vector<double> logTicks(double low, double high, int wanted);
// The same for counts that double: powers of two, or whole numbers if none is visible.
std::vector<double> logTwoTicks(double low, double high, int wanted);
// And for bytes: powers of two; if fewer than three of them are visible within a decade, round
// numbers of KiB, MiB or GiB.
std::vector<double> logByteTicks(double low, double high, int wanted);

} // namespace accrue
