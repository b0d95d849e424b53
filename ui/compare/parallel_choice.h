// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/number_columns.h"
#include "engine/report/run_comparison.h"
#include "ui/relations/parallel_plot.h"

#include <QJsonObject>

#include <map>
#include <string>
#include <vector>

namespace accrue {

// What of the compared runs can be an axis, by which name it is known, and what a person wants.

struct AxisChoice {
    ParallelAxis axis;
    NumberColumn::Kind kind = NumberColumn::Kind::Result;
    bool isUsual = false; // an axis unless it is removed
};

// The settings in which the runs differ, which may be words, then results, cost and progress. Usual
// are those settings without seeds, and accuracy, peak memory and time. Pure.
std::vector<AxisChoice> axisChoices(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries);

// What was changed, by the names of axes, which these runs need not have.
struct AxisWishes {
    std::map<std::string, bool> shown {};
    std::map<std::string, bool> inverted {};
    std::map<std::string, bool> logarithmic {};
    std::vector<std::string> order {};
    std::string colour {}; // the axis by which lines are coloured
    bool operator==(const AxisWishes&) const = default;
};
QJsonObject jsonOf(const AxisWishes& wishes);
AxisWishes axisWishesOf(const QJsonObject& json); // what is of another kind is left out

// The axes that are drawn, in their order.
std::vector<ParallelAxis> wantedAxes(
    const std::vector<AxisChoice>& choices, const AxisWishes& wishes);
bool isWanted(const AxisChoice& choice, const AxisWishes& wishes);

} // namespace accrue
