// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QString>

#include <span>

namespace accrue {

// One column of the table of runs, which is one row of the table in run_columns.cpp. GUI thread.
struct RunColumn {
    const char* key; // what the column is sorted by (run_keys.h)
    QString (*title)();
    bool isNumber = false; // right-aligned
    QString (*text)(const RunRecord& run);
    QString (*tip)(const RunRecord& run) = nullptr; // of a cell; null: none
    QString (*help)() = nullptr; // of the header; null: the title
    QString (*longest)() = nullptr; // a long text that determines the column's width; null: any
    // Of a result: a value as it is shown, such as the mean of several runs. Null: it is a setting.
    QString (*figure)(double value) = nullptr;
    // Of a column of differences: a value beside that of the baseline. Null: it is none.
    QString (*change)(double now, double before) = nullptr;
};

// A training time in the one form of its column: "0:07.4", "2:02", "1:12:45".
QString clockText(double seconds);
QString trainedText(const RunRecord& run); // its training time; "–" if nobody has begun it

// In the order of RunTableModel::Column.
std::span<const RunColumn> runColumns();

} // namespace accrue
