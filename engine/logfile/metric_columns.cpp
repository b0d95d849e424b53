// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/metric_columns.h"

#include <array>

namespace accrue {

namespace {

// In the order of MetricSection.
constexpr std::array kTableOfSection { CheckedTable::Evaluations, CheckedTable::Epochs,
    CheckedTable::Steps, CheckedTable::Traces, CheckedTable::MetricValues };

// The value that metrics.cpp computes from a step, computed from its row. NULL, that is, not a
// number, if the time was not measured.
std::string throughputInSql()
{
    const std::string& time = nameOf(MetricId::StepMs);
    return "CASE WHEN " + time + " > 0 THEN window_samples * 1000.0 / " + time + " END";
}

} // namespace

MetricPlace placeOf(const MetricInfo& metric)
{
    if (isCarriedByName(metric))
        return { CheckedTable::MetricValues, "value", kMetricValuesSinceFormat };
    const CheckedTable table = kTableOfSection.at(static_cast<std::size_t>(metric.section));
    if (const auto* column = std::get_if<TraceColumn>(&metric.source))
        return { table, column->name, metric.sinceFormat };
    const bool isComputed = metric.id == MetricId::Throughput;
    return { table, isComputed ? throughputInSql() : metric.name, metric.sinceFormat };
}

Columns courseColumns(const Columns& own, MetricSection section)
{
    Columns columns { "run_id", "attempt", "step", "micro_batches", "samples", "epoch", "seconds" };
    columns.insert(columns.end(), own.begin(), own.end());
    for (const MetricInfo* metric : fieldsOf(section))
        columns.push_back(placeOf(*metric).value);
    return columns;
}

} // namespace accrue
