// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/checked_rows.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace accrue {

inline constexpr std::int64_t kBeforeFirstStep = std::numeric_limits<std::int64_t>::min();

// Rows of one metric after `afterStep`, in step order, without those that a later attempt
// superseded; with several ranks those that `rank` measured. Throws RunLogError for a metric that
// neither the table of metrics nor any run of the log has.
std::vector<SeriesPoint> readSeries(SQLite::Database& database, RunId run, std::string_view metric,
    Axis axis, std::int64_t afterStep, std::int64_t rank = 0);

// What all ranks measured, place by place, likewise; nothing for a metric that is no rank's.
std::vector<RankValues> readRanks(SQLite::Database& database, RunId run, std::string_view metric,
    Axis axis, std::int64_t afterStep);

// Of all ranks. `whole`: only rows of these attempts and steps; null: all.
std::vector<SeriesRow> readRows(SQLite::Database& database, RunId run, std::string_view metric,
    const std::vector<RowRange>* whole = nullptr);

// Where the metric is stored; metric_values for one that the table of metrics lacks, and for all
// of a run without a recipe.
CheckedTable tableOf(const RunRecord& run, std::string_view metric);

// Metrics in the order of the table, followed by those that it lacks, by name.
std::vector<MetricSummary> readSummaries(SQLite::Database& database, RunId run);

} // namespace accrue
