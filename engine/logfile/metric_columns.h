// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/metrics.h"
#include "engine/logfile/checked_table.h"
#include "engine/logfile/row_binder.h"
#include "engine/runs/run_record.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace accrue {

// The rank whose values a metric has by default. Only metrics of several ranks have others.
inline constexpr std::int64_t kFirstRank = 0;

// Where metrics are stored, according to the table of metrics. All functions are pure.

// A value in a row, or an expression over a row, that a SELECT can read.
struct MetricPlace {
    CheckedTable table {};
    std::string value; // an SQL expression, NULL if the row has no value
    int since = 1; // the file format that has it
};
MetricPlace placeOf(const MetricInfo& metric);

// run_id, attempt, step, micro_batches, samples, epoch, seconds, which are the place of a row in a
// run's course, followed by `own` and by the columns of the section's metrics.
Columns courseColumns(const Columns& own, MetricSection section = MetricSection::Elsewhere);

template <typename Event> void bindPlace(RowBinder& row, RunId run, int attempt, const Event& event)
{
    row.bind(
        run, attempt, event.step, event.microBatches, event.samples, event.epoch, event.seconds);
}

template <typename Event>
void bindMetrics(RowBinder& row, MetricSection section, const Event& event)
{
    for (const MetricInfo* metric : fieldsOf(section)) {
        const std::optional<double> value = metricIn(*metric, event);
        if (isWhole(*metric))
            row.bind(std::llround(value.value_or(0)));
        else
            row.bind(value);
    }
}

} // namespace accrue
