// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"
#include "engine/sweep/sweep_axis.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// Which runs of a sweep are trained first.
enum class SweepOrder {
    Given, // as the keys vary
    Memory, // the least predicted memory
    Time, // the least predicted time
};
std::string_view nameOf(SweepOrder order); // "given", "memory", "time"

// What a sweep is: an experiment, and what varies in its runs. A value.
struct SweepDefinition {
    Experiment base {};
    std::vector<SweepAxis> axes {};
    std::int64_t seeds = 1; // run.seed of the base, +1 … +seeds − 1, each with all combinations
    std::int64_t random = 0; // combinations that are drawn; 0: the grid of all of them
    // B of the base stays: N is solved for a b that varies, and b for an N.
    bool keepsEffective = false;
    SweepOrder order = SweepOrder::Given;
    std::int64_t halving = 0; // η of successive halving (halving.h); 0: every run is trained
    friend bool operator==(const SweepDefinition&, const SweepDefinition&) = default;
};

// Whether the sweep has that key among those that vary.
bool varies(const SweepDefinition& sweep, std::string_view key);

// Runs that it makes, without merging equal ones; at most INT64_MAX.
std::int64_t countRuns(const SweepDefinition& sweep);

// What is wrong with it as a whole, and with each key; no errors: it can be expanded. Nothing is
// expanded, so it is fast however many runs there would be. Pure; any thread.
Findings checkSweep(const SweepDefinition& sweep);

} // namespace accrue
