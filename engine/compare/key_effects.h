// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/compare/group_comparison.h"
#include "engine/compare/run_number.h"
#include "engine/insight/importance.h"
#include "engine/runs/run_record.h"

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Which keys explain a number of some runs. As in groups, only runs that came to their end count.
struct KeyEffects {
    RunNumber number;
    std::vector<RunRecord> runs {}; // that count
    std::vector<double> values {}; // of each of them
    std::vector<KeyImportance> keys {}; // the greatest effect first
};

// `values`: of each run; empty: it has none. Pure; the time grows with runs and the square of keys.
KeyEffects keyEffects(const std::vector<RunRecord>& runs,
    const std::vector<std::optional<double>>& values, const RunNumber& number);

// The groups of one of the keys, with the mean of each.
struct KeyGroup {
    std::string name; // its value, or the range of them
    GroupNumbers numbers;
};
std::vector<KeyGroup> groupsOf(const KeyEffects& effects, const KeyImportance& key);

// What there is to say of them: what explains most, and why that may mean little; or why nothing
// can be said. At least one sentence.
std::vector<Message> sentencesOf(const KeyEffects& effects);

// "61 %"; "–" of a share that is not known.
std::string shareText(double share, int digits = 3);

// For a CSV file: a line of titles, one for each key, and one for each group of `chosen` (null:
// none), with exact values.
std::vector<std::vector<std::string>> effectTable(
    const KeyEffects& effects, const KeyImportance* chosen);

} // namespace accrue
