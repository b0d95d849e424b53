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
};

// In the order of RunTableModel::Column.
std::span<const RunColumn> runColumns();

} // namespace accrue
