// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/insight/importance.h"
#include "engine/report/run_comparison.h"
#include "engine/runs/run_record.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// Runs in groups that differ by chance alone: those with the same values of some keys. All
// functions are pure.

// A key with the value of each run, as it took effect.
struct RunGroupKey {
    struct Value {
        std::string text; // "group", "32"; empty: the run does not read the key, or has none
        Message shown; // to be part of a name: "GroupNorm", "b = 32"
        std::optional<double> number {};
        friend bool operator==(const Value& one, const Value& other)
        {
            return one.text == other.text;
        }
    };
    std::string name; // as it was requested, otherwise the short name if there is one: "norm"
    std::vector<Value> values {}; // of each run
};
// "GroupNorm, b = 4"; without values that there are not, unless there is no other.
Message nameOfValues(const std::vector<RunGroupKey::Value>& values);
// A short name or a dotted key of run_keys.h. Throws InputError if there is none.
RunGroupKey runGroupKey(const std::vector<RunRecord>& runs, std::string_view name);
// The settings in which the runs differ, in the order of docs/recipes.md, without name and seed.
// Threads that the program chose are no setting, and N is none if b or B is one: it follows from
// both.
std::vector<RunGroupKey> differingKeys(const std::vector<RunRecord>& runs);

struct RunGroup {
    std::vector<RunGroupKey::Value> values; // of each key
    Message name; // "GroupNorm, b = 4"; empty: without keys
    std::vector<std::size_t> runs; // their positions, ascending
};

struct RunGroups {
    std::vector<std::string> keys; // names
    std::vector<RunGroup> groups; // by their values, the first key first; numbers ascending
    // Of each run, what pairs it with a run of another group: its seed, and the other settings in
    // which runs of one group differ.
    std::vector<std::string> places;
    std::vector<std::string> seeds {}; // of each run
    bool onlySeeds = true; // there are no such settings
    std::vector<RunGroupKey> beside; // settings that are no keys, but in which groups differ
};
// By these keys. Without keys: by all settings in which the runs differ but the seed.
RunGroups groupRuns(const std::vector<RunRecord>& runs, const std::vector<std::string>& keys);
// Positions of the runs that are not among `hidden`.
std::vector<std::size_t> shownPositions(
    const std::vector<RunRecord>& runs, const std::vector<RunId>& hidden);
// Leaves out the other runs (`kept`: ascending positions), and groups that have none then.
void keepRuns(RunGroups& groups, const std::vector<std::size_t>& kept);

// Settings side by side as keys. The name is the short one where there is one.
std::vector<RunGroupKey> groupKeysOf(const std::vector<RunComparison::Setting>& settings);
// The settings in which the runs differ, seed and all batch numbers included, for importanceOf.
std::vector<ImportanceKey> importanceKeys(const std::vector<RunRecord>& runs);

} // namespace accrue
