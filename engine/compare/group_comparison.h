// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/compare/run_groups.h"
#include "engine/compare/run_number.h"
#include "engine/insight/mean_interval.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accrue {

// A number of the runs of a group. Only runs that completed or were stopped have one that counts;
// runs that repeat another one of the group, seed included, count once, with their mean.
struct GroupNumbers {
    struct Entry {
        std::string place; // RunGroups::places
        std::string seed;
        double value = 0;
        bool endedEarly = false;
    };
    std::vector<Entry> entries {};
    MeanInterval mean {};
    std::int64_t endedEarly = 0; // runs: by a rule, by halving, or stopped
    std::vector<std::pair<Message, std::int64_t>> leftOut {}; // why ("diverged"), and how many runs
};

// `values`: of each run; empty: it has none.
std::vector<GroupNumbers> groupNumbers(const std::vector<RunRecord>& runs, const RunGroups& groups,
    const std::vector<std::optional<double>>& values);

// Whether its values count: it completed, or was stopped.
bool countsInGroup(const RunRecord& run);
// Whether a run ended before its length: it was stopped, or a rule or the halving of its sweep
// ended it.
bool endedEarly(const RunRecord& run);

// The difference of one group to another, by the paired test over the places that both have. Places
// of one seed count as one, with the mean of their differences: they share their chance, and as
// pairs of their own they would make the interval too narrow. Where all pairs have one seed, each
// pair counts.
struct GroupComparison {
    std::size_t one = 0; // positions in RunGroups::groups
    std::size_t other = 0; // what it is compared with
    std::optional<PairedTest> test {}; // of one - other; empty: refused
    std::int64_t pairs = 0; // of places
    bool overSeeds = true; // what the test counts; otherwise pairs
    std::optional<std::int64_t> needed {}; // of them, if those that are there cannot tell
    std::int64_t unpaired = 0; // values that only one of both groups has
    std::int64_t endedEarly = 0; // runs among the pairs
    // "GroupNorm against BatchNorm at b = 4: +1.9 points, 95 % interval +1.2 to +2.6, 5 seeds.", or
    // why they cannot be compared.
    Message sentence {};
};
GroupComparison compareGroups(const RunGroups& groups, const std::vector<GroupNumbers>& numbers,
    const RunNumber& number, std::size_t one, std::size_t other);

// The group with the best mean; empty: no value is better, or no group has one.
std::optional<std::size_t> bestGroup(
    const std::vector<GroupNumbers>& numbers, const RunNumber& number);

} // namespace accrue
