// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/random.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/setting_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The runs that a sweep makes at most, and so the values that a key has at most.
inline constexpr std::int64_t kMostSweepRuns = 10'000;

// The numbers from `from` to `to`, both included. In a grid there are `count` of them, at equal
// distances, or in equal ratios if it is logarithmic: x(i) = from + i·(to − from)/(count − 1), or
// from·(to/from)^(i/(count − 1)), rounded to four digits of themselves or of the range, whichever
// is smaller (more if there are over a hundred). Those of a whole-number key are rounded to whole
// numbers, each once. Random ones are uniform, or their logarithms are.
struct SweepRange {
    double from = 0;
    double to = 1;
    bool isLogarithmic = false; // from > 0
    bool isWhole = false; // the key has whole numbers
    // Empty: all whole numbers between them; of others only random ones are drawn.
    std::optional<std::int64_t> count {};
    friend bool operator==(const SweepRange&, const SweepRange&) = default;
};

// A key and the values that it has in the runs of a sweep: a list or a range.
struct SweepAxis {
    std::string key;
    std::vector<SettingValue> values {}; // of a list, as KeyValue::get returns them
    std::optional<SweepRange> range {};
    friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};

struct ParsedAxis {
    std::optional<SweepAxis> axis; // empty exactly if there is a problem
    Findings problems;
};

// "batch.micro=8,16,32", "optimizer.lr=0.01..0.1:5" (a range of five numbers),
// "optimizer.lr=0.001..1:4log" (logarithmic), "run.seed=1..5" (whole numbers),
// "optimizer.lr=0.001..1:log" (random ones). Commas within brackets or quotes belong to a value:
// "model.widths=[512,256],[256]". Every value is one that the key accepts. Pure; any thread.
ParsedAxis parseAxis(std::string_view assignment);
// The values behind the "=", which parseAxis reads back.
std::string textOf(const SweepAxis& axis);

// A number in the range, or a list, that the key does not accept; a range that is none. Empty: it
// can be expanded. For an axis that was not parsed.
Findings checkAxis(const SweepAxis& axis);

// The number of values in a grid; 0: a range of fractions without a count has none.
std::int64_t gridSize(const SweepAxis& axis);
std::vector<SettingValue> gridValues(const SweepAxis& axis);
// The number of different values that can be drawn; empty: of a range of fractions, no limit.
std::optional<std::int64_t> drawnSize(const SweepAxis& axis);
SettingValue drawnValue(const SweepAxis& axis, CounterRandom& random);

} // namespace accrue
