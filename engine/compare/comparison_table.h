// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/compare/run_groups.h"
#include "engine/compare/step_values.h"
#include "engine/insight/mean_interval.h"
#include "engine/report/comparison_rows.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace accrue {

// A comparison as a table of what a person has chosen to see: a column for each run or group, rows
// of settings and results. The window shows it, and all copies and files of it are made of it.

struct TableRequest {
    bool identicalHidden = true; // settings in which no two of the shown runs differ
    bool isGrouped = false; // a column for each group
    std::vector<std::string> keys {}; // of the groups, as groupRuns reads them
    std::vector<RunId> hidden {}; // runs that count nowhere
    // Differences are to its column; one that is not among the runs has none.
    std::optional<RunId> baseline {};
    std::optional<std::int64_t> step {}; // results have a row of their values there
    std::set<std::string> unfolded {}; // metrics whose details are rows, too
    bool allUnfolded = false;
    std::string sortedBy {}; // id of the row that orders the columns; empty: that of the runs
    bool reversed = false; // the worst first
    bool transposed = false; // in files: a line for each column
};

struct TableCell {
    enum class Change { None, Better, Worse };
    std::string text; // "98.12 % at 400", "98.12 % ± 0.31 %"; "–": there is none
    std::string exact {}; // for files: in English, without units and rounding
    std::string step {}; // at which the exact value was reached
    std::optional<double> number {}; // of results: the value, or the mean
    MeanInterval mean {}; // of a group
    ComparisonRow::Mark mark = ComparisonRow::Mark::None;
    std::optional<double> difference {}; // to the baseline
    std::string differenceText {}; // "+1.90"
    Change change = Change::None; // of a group only if the paired test tells them apart
    bool hasEarly = false; // a mean with runs that ended early
    Message note {}; // "1 ended early", or the paired test in a sentence
};

struct TableColumn {
    Message title; // "digits #12", "GroupNorm, b = 4"
    std::vector<std::size_t> runs; // positions; several of a group
    bool isBaseline = false;
};

struct TableRow {
    std::string id; // the same in every language
    std::string key; // of a setting, or the metric's name
    bool isSetting = false; // or another fact that was not measured
    Better better = Better::Neither; // of its values
    Message title; // "Normalisation layers", "Test accuracy, best"
    std::optional<MemoryCategory> category {};
    bool isDetail = false; // of the row before it that can be unfolded
    bool canUnfold = false;
    bool isUnfolded = false;
    std::vector<TableCell> cells {}; // of each column
};

struct ComparisonTable {
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows;
    std::string sortedBy; // empty: by no row that is there
    bool reversed = false;
    bool hasEarly = false; // a cell does
};

// `atStep`: for request.step. Throws InputError if a key of the groups does not exist. Pure.
ComparisonTable comparisonTable(const std::vector<RunRecord>& runs,
    const std::vector<RunSummaries>& summaries, const std::vector<StepValue>& atStep,
    const TableRequest& request);

} // namespace accrue
