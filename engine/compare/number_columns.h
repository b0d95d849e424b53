// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/run_number.h"
#include "engine/report/run_comparison.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace accrue {

// A number that runs can be drawn over, with the value of each of them.
struct NumberColumn {
    enum class Kind : std::uint8_t { Result, Cost, Progress, Setting };

    RunNumber number; // a setting has its label as title
    Kind kind = Kind::Result;
    std::vector<std::optional<double>> values {}; // of each run; all that exist are finite

    bool differs() const; // two runs have different values
};

// All numbers that at least one of these runs has, by kind: what a run is judged by, what it cost,
// how far it has come, and its settings in the order of docs/recipes.md, as far as the run reads
// them. A metric has "best" instead of the extreme that is its best. `number.name` is unique. Pure.
std::vector<NumberColumn> numbersOf(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries);

// Null: none has that name.
const NumberColumn* findNumber(const std::vector<NumberColumn>& numbers, std::string_view name);

// The metrics of one run; none if `all` lacks it.
const std::vector<MetricSummary>& summariesOf(const std::vector<RunSummaries>& all, RunId run);

} // namespace accrue
