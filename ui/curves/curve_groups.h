// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QString>

#include <string>
#include <vector>

namespace accrue {

// What runs have in common that are shown as one: a curve, a column, a point.
namespace grouping {
inline constexpr const char* kNone = ""; // each run by itself
inline constexpr const char* kSeeds = "seeds"; // all settings but run.seed
} // namespace grouping

// Runs that are shown together, at least one; indices into the runs that were grouped, rising.
struct CurveGroup {
    std::vector<std::size_t> runs;
    QString title; // of several runs: what distinguishes the group from the others
};

// As groupRuns() of engine/compare makes them, which also names them. In the order of their first
// runs, which is that of the list; a summary has them in the order of their values. `by` is one of
// the above, or a key. Pure.
std::vector<CurveGroup> curveGroups(const std::vector<RunRecord>& runs, const std::string& by);

// The keys in which these runs differ, for which grouping makes sense.
std::vector<std::string> groupingKeys(const std::vector<RunRecord>& runs);
QString groupingLabel(const std::string& key); // "Micro-batch b"; of a script's key its name
// `by`, unless these runs do not differ in that key: then kNone.
std::string groupingOf(const std::vector<RunRecord>& runs, const std::string& by);
// The keys of `by` for groupRuns().
std::vector<std::string> groupKeysFor(const std::string& by);

} // namespace accrue
