// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/checked_rows.h"
#include "engine/runlog/run_record.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace SQLite {
class Database;
}

namespace accrue {

// Rows of one metric after `afterStep`, in step order, without what a later attempt superseded.
// Throws RunLogError for an unknown metric.
std::vector<SeriesPoint> readSeries(SQLite::Database& database, RunId run, std::string_view metric,
    Axis axis, std::int64_t afterStep);

// `whole`: only rows of these attempts and steps; null: all.
std::vector<SeriesRow> readRows(SQLite::Database& database, RunId run, std::string_view metric,
    const std::vector<RowRange>* whole = nullptr);

// Where the metric is stored. Throws RunLogError for an unknown one.
CheckedTable tableOf(std::string_view metric);

std::vector<MetricSummary> readSummaries(SQLite::Database& database, RunId run);

} // namespace accrue
