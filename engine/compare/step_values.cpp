// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/step_values.h"

#include <algorithm>
#include <limits>

namespace accrue {
namespace {

constexpr std::int64_t kFirstSpan = 64; // steps that are read at first
constexpr std::int64_t kGrowth = 32;

// Rows of these steps of any attempt.
std::vector<SeriesRow> rowsIn(RunLogReader& log, const RunRecord& run, const std::string& metric,
    std::int64_t first, std::int64_t last)
{
    std::vector<RowRange> ranges;
    for (std::int64_t attempt = 0; attempt <= run.attempt; ++attempt)
        ranges.push_back({ run.id, attempt, first, last });
    return log.rows(run.id, metric, &ranges);
}

// Each rank has a row of its own at the last place.
StepValue lastOf(RunId run, const std::string& metric, const std::vector<SeriesRow>& rows)
{
    const SeriesRow& last = rows.back();
    double sum = 0;
    std::int64_t count = 0;
    for (auto row = rows.rbegin();
         row != rows.rend() && row->step == last.step && row->microBatches == last.microBatches;
         ++row, ++count)
        sum += row->value;
    return { run, metric, last.step, sum / static_cast<double>(count) };
}

// A metric of every step has a value close before; that of an evaluation may be far behind.
std::optional<StepValue> valueAt(
    RunLogReader& log, const RunRecord& run, const std::string& metric, std::int64_t step)
{
    std::int64_t last = step;
    for (std::int64_t span = kFirstSpan; last >= 0; span *= kGrowth) {
        const std::int64_t first = std::max<std::int64_t>(0, last - span);
        const std::vector<SeriesRow> rows = rowsIn(log, run, metric, first, last);
        if (!rows.empty())
            return lastOf(run.id, metric, rows);
        last = first - 1;
    }
    return std::nullopt;
}

} // namespace

std::vector<StepValue> readStepValues(RunLogReader& log, const std::vector<RunId>& runs,
    std::int64_t step, const std::function<bool()>& isCancelled)
{
    std::vector<StepValue> values;
    for (const RunId id : runs) {
        const RunRecord run = log.run(id);
        for (const MetricSummary& summary : log.summaries(id)) {
            if (isCancelled && isCancelled())
                return values;
            if (auto value = valueAt(log, run, summary.metric, step))
                values.push_back(*std::move(value));
        }
    }
    return values;
}

} // namespace accrue
