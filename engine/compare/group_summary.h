// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/group_comparison.h"
#include "engine/insight/importance.h"
#include "engine/report/run_comparison.h"
#include "engine/runs/run_keys.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// What `accrue summary`, the report and the Compare page show of groups of runs.

struct SummaryRequest {
    std::vector<std::string> keys {}; // empty: all in which the runs differ, but the seed
    std::string number = kAccuracyFilter; // as runNumber reads it
    // "norm=batch" or "norm=batch b=32": the group with these values; for keys that it does not
    // name, that with the values of the group that is compared. Empty: the best group.
    std::string baseline {};
    std::optional<RunId> baselineRun {}; // instead: the group of this run, if there is one
    std::vector<RunId> hidden {}; // runs that count nowhere
};

struct GroupSummary {
    std::vector<RunRecord> runs;
    RunNumber number;
    RunGroups groups;
    std::vector<GroupNumbers> numbers; // of each group
    std::optional<std::size_t> best; // group
    std::vector<GroupComparison> comparisons; // of every group that is no baseline
    std::vector<Message> missing; // groups that have no baseline
    // No group has two values, which is said once instead of in each comparison; otherwise empty.
    Message nothingToTell;
    std::vector<KeyImportance> importance; // of the keys in which the runs differ
    Message explained; // what there is to say of them
};

// Throws InputError if a key, the number or the baseline is none of these runs. Pure.
GroupSummary summarize(const std::vector<RunRecord>& runs,
    const std::vector<RunSummaries>& summaries, const SummaryRequest& request);

// "98.12 % ± 0.31 %"; of one run without an interval; "–" of none.
std::string intervalText(const RunNumber& number, const MeanInterval& mean);
// "1 ended early, 2 diverged": which runs of a group are marked, and which are left out.
Message notesOf(const GroupNumbers& numbers);
// What there is to say about the comparisons: a sentence on each, or why there is none.
std::vector<Message> sentencesOf(const GroupSummary& summary);
// What to bear in mind when there are many comparisons; empty: there are few.
Message warningOf(const GroupSummary& summary);
// "b moves together with N"; empty: with none.
Message confoundingOf(const KeyImportance& importance);

// As `accrue summary --json` prints it.
nlohmann::ordered_json jsonOf(const GroupSummary& summary);

} // namespace accrue
