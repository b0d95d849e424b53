// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/run_groups.h"
#include "ui/charts/scatter_chart.h"
#include "ui/curves/curve_groups.h"
#include "ui/models/run_palette.h"

#include <QString>

#include <string>
#include <vector>

namespace accrue {

// How compared runs look: each by itself, or those with the same value of a key alike.

// Names of keys; empty: each run, or group, has its own.
struct StyleChoice {
    std::string colorBy {};
    std::string lineBy {};
    bool operator==(const StyleChoice&) const = default;
};

// All that makes curves of runs.
struct RunDistinction {
    std::string groupBy = grouping::kSeeds; // as curveGroups() reads it
    StyleChoice style {};
    bool operator==(const RunDistinction&) const = default;
};

struct RunStyling {
    std::vector<RunStyle> ofRuns;
    std::vector<RunStyle> ofGroups; // which are drawn as their means
    std::vector<std::size_t> groupOf; // of each run
    StyleKey key; // empty: there is no choice
    bool operator==(const RunStyling&) const = default;
};

// The settings in which the runs differ, and the seed if they do.
std::vector<RunGroupKey> stylingKeys(const std::vector<RunRecord>& runs);
// Why a key cannot be shown so; empty: it can. There are seven hues, and for more numbers a scale;
// there are four kinds of lines.
QString colorProblem(const RunGroupKey& key);
QString lineProblem(const RunGroupKey& key);

// A choice that these runs do not allow counts as none. A group whose runs differ in the key is
// grey, or has a line of its own. Where only colours or only lines are chosen, the other one tells
// groups apart that would look alike. Pure.
RunStyling stylingOf(const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups,
    const StyleChoice& choice, Background background);

// Its styles of these runs, or, if it was made for others, the look of each run by itself.
std::vector<RunStyle> stylesIn(
    const RunStyling& styling, const std::vector<RunRecord>& runs, Background background);

} // namespace accrue
