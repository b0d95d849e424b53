// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QString>

#include <optional>
#include <vector>

namespace accrue {

class RunGrouping;
class RunTableModel;

// The cells of a row that stands for several runs. `members` are in the model, at least one. All
// functions are pure. GUI thread.

// A result as the mean of the runs that have it, with its 95 % interval (Student's t): "98.37 ±
// 0.12 %". A setting as the value that all have, or the lowest and the highest, or how many values.
QString groupText(const RunTableModel& runs, const std::vector<RunId>& members, int column);
// How that was computed, and of how many of the runs; empty: the text says all.
QString groupTip(const RunTableModel& runs, const std::vector<RunId>& members, int column);
// In a column of differences: the mean is better than the baseline.
bool isGroupBetter(const RunTableModel& runs, const std::vector<RunId>& members, int column);
// The mean of the column's numbers, by which groups are sorted. Empty: there are none.
std::optional<double> groupMean(
    const RunTableModel& runs, const std::vector<RunId>& members, int column);

// That of the grouping; a sweep also has what the names of its runs begin with.
QString groupTitle(
    const RunTableModel& runs, const std::vector<RunId>& members, const RunGrouping& grouping);
// Beside the title: "n = 3", or "3 seeds · norm=group", which tells it from others of its name, and
// how many of them ended before their length; they count in the means like any other. Of a sweep
// also its best run.
QString groupDetail(
    const RunTableModel& runs, const std::vector<RunId>& members, const RunGrouping& grouping);

Qt::CheckState checkOf(const RunTableModel& runs, const std::vector<RunId>& members);
// As a click on the box of a group: checks all, or none if all are checked.
void toggleChecks(RunTableModel& runs, const std::vector<RunId>& members);

} // namespace accrue
