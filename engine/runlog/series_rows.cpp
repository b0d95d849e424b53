// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/series_rows.h"

#include "engine/base/sentences.h"
#include "engine/logfile/metric_columns.h"
#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"
#include "engine/logfile/superseded_rows.h"
#include "engine/runlog/run_rows.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

// Where this run has it: a run that Accrue has not trained stores all of its values by name.
MetricInfo metricOf(SQLite::Database& database, RunId run, const std::string& name)
{
    MetricInfo metric = metricNamed(name);
    if (isForeign(database, run))
        metric.source = CarriedByName {};
    return metric;
}

// Throws RunLogError unless the table of metrics or a run of the log has that metric.
MetricInfo requireMetric(SQLite::Database& database, RunId run, const std::string& name)
{
    if (findMetric(name) != nullptr
        || firstOf<int>(database, "SELECT 1 FROM summaries WHERE metric = ? LIMIT 1", name))
        return metricOf(database, run, name);
    std::vector<std::string> known;
    for (const auto* table : { &metrics(), &tracedMetrics() })
        for (const MetricInfo& metric : *table)
            known.push_back(metric.name);
    throw RunLogError(
        Message("runlog.no_such_metric", { { "metric", name }, { "known", commaList(known) } }));
}

std::string axisExpression(Axis axis)
{
    if (axis != Axis::Epoch)
        return std::string(nameOf(axis)); // its column
    // In epochs with fractions, so that the steps within an epoch are side by side.
    return "coalesce(samples * 1.0 / (SELECT nullif(train_samples, 0) FROM runs WHERE id = ?1),"
           " epoch)";
}

// Conditions on the rows; their parameters follow the run, ?1, and the metric's name, ?2.
constexpr const char* kAfterStep = " AND step > ?3";
constexpr const char* kInRange = " AND step BETWEEN ?3 AND ?4 AND attempt = ?5";

using Rank = std::optional<std::int64_t>; // empty: all of them

// The rows that have the metric, with `columns` and its value, in step order, without superseded
// ones.
class RowsOfMetric {
public:
    template <typename... Values>
    RowsOfMetric(SQLite::Database& database, RunId run, const MetricInfo& metric,
        const std::string& columns, const Rank& rank, const std::string& which,
        const Values&... values)
        : m_superseded(database, run)
        , m_rows(database, selectOf(metric, columns, rank, which), run, metric.name, values...)
    {
    }

    bool next()
    {
        while (m_rows.next()) {
            if (m_superseded.none())
                return true;
            const std::int64_t attempt = m_rows.integer();
            if (!m_superseded.contains(attempt, m_rows.integer()))
                return true;
        }
        return false;
    }
    Query& row() { return m_rows; }

private:
    // A run of one attempt, the usual case, does not need the two columns that decide what is
    // superseded.
    std::string selectOf(const MetricInfo& metric, const std::string& columns, const Rank& rank,
        const std::string& which) const
    {
        const MetricPlace place = placeOf(metric);
        const bool isNamed = isCarriedByName(metric);
        return std::string(m_superseded.none() ? "SELECT " : "SELECT attempt, micro_batches, ")
            + columns + ", " + place.value + " FROM " + std::string(nameOf(place.table))
            + " WHERE run_id = ?1" + which + (isNamed ? " AND metric = ?2" : "")
            + (isNamed && rank ? " AND rank = " + std::to_string(*rank) : std::string())
            + (place.since > 1 ? " AND " + place.value + " IS NOT NULL" : std::string())
            + " ORDER BY step, micro_batches, attempt" + (isNamed ? ", rank" : "");
    }

    const SupersededRows m_superseded;
    Query m_rows;
};

bool isMissing(SQLite::Database& database, const MetricInfo& metric)
{
    return formatOf(database) < placeOf(metric).since;
}

// Of a row; only metrics that are carried by name have ranks.
std::string allAxes(const MetricInfo& metric)
{
    return std::string("step, samples, micro_batches, epoch, seconds, ")
        + (isCarriedByName(metric) ? "rank" : "0");
}

void addRows(std::vector<SeriesRow>& all, RowsOfMetric rows)
{
    while (rows.next()) {
        SeriesRow& row = all.emplace_back();
        rows.row().read(
            row.step, row.samples, row.microBatches, row.epoch, row.seconds, row.rank, row.value);
    }
}

// A file of another program may have any number there.
constexpr std::int64_t kMostRanks = 4096;

void addValue(RankValues& place, std::int64_t rank, double value)
{
    if (rank < 0 || rank >= kMostRanks)
        return;
    const auto at = static_cast<std::size_t>(rank);
    if (at >= place.values.size())
        place.values.resize(at + 1, std::numeric_limits<double>::quiet_NaN());
    place.values[at] = value;
}

} // namespace

std::vector<SeriesPoint> readSeries(SQLite::Database& database, RunId run, std::string_view metric,
    Axis axis, std::int64_t afterStep, std::int64_t rank)
{
    const MetricInfo info = requireMetric(database, run, std::string(metric));
    // An older file has no such column: there are no values, but it is not an error.
    if (isMissing(database, info))
        return {};
    RowsOfMetric rows(database, run, info, axisExpression(axis), rank, kAfterStep, afterStep);
    std::vector<SeriesPoint> points;
    while (rows.next()) {
        SeriesPoint& point = points.emplace_back();
        rows.row().read(point.x, point.y);
    }
    return points;
}

// The rows of a place are side by side. Two places of one step have different micro-batches.
std::vector<RankValues> readRanks(SQLite::Database& database, RunId run, std::string_view metric,
    Axis axis, std::int64_t afterStep)
{
    const MetricInfo info = requireMetric(database, run, std::string(metric));
    if (isMissing(database, info) || !isCarriedByName(info))
        return {};
    RowsOfMetric rows(database, run, info, "step, micro_batches, rank, " + axisExpression(axis),
        Rank {}, kAfterStep, afterStep);
    std::vector<RankValues> places;
    std::int64_t microBatches = 0;
    while (rows.next()) {
        RankValues row;
        std::int64_t end = 0;
        std::int64_t rank = 0;
        double value = 0;
        rows.row().read(row.step, end, rank, row.x, value);
        if (places.empty() || places.back().step != row.step || microBatches != end)
            places.push_back(std::move(row));
        microBatches = end;
        addValue(places.back(), rank, value);
    }
    return places;
}

CheckedTable tableOf(const RunRecord& run, std::string_view metric)
{
    return hasRecipe(run) ? placeOf(metricNamed(std::string(metric))).table
                          : CheckedTable::MetricValues;
}

std::vector<SeriesRow> readRows(SQLite::Database& database, RunId run, std::string_view metric,
    const std::vector<RowRange>* whole)
{
    const MetricInfo info = requireMetric(database, run, std::string(metric));
    if (isMissing(database, info))
        return {};
    std::vector<SeriesRow> all;
    const std::string columns = allAxes(info);
    if (whole == nullptr) {
        addRows(all, { database, run, info, columns, Rank {}, kAfterStep, kBeforeFirstStep });
        return all;
    }
    for (const RowRange& range : *whole)
        addRows(all,
            { database, range.run, info, columns, Rank {}, kInRange, range.firstStep,
                range.lastStep, range.attempt });
    // Ranges come attempt by attempt, and the steps of attempts overlap.
    std::stable_sort(all.begin(), all.end(), [](const SeriesRow& a, const SeriesRow& b) {
        return std::tie(a.step, a.microBatches) < std::tie(b.step, b.microBatches);
    });
    return all;
}

std::vector<MetricSummary> readSummaries(SQLite::Database& database, RunId run)
{
    Query rows(database,
        "SELECT metric, final, best, best_step, min, max FROM summaries WHERE run_id = ?"
        " ORDER BY metric",
        run);
    std::vector<MetricSummary> summaries;
    while (rows.next()) {
        MetricSummary& summary = summaries.emplace_back();
        rows.read(summary.metric, summary.final, summary.best, summary.bestStep, summary.min,
            summary.max);
    }
    const auto place = [](const MetricSummary& summary) {
        const MetricInfo* known = findMetric(summary.metric);
        return known != nullptr ? known->id : MetricId::Elsewhere;
    };
    std::stable_sort(summaries.begin(), summaries.end(),
        [&](const MetricSummary& a, const MetricSummary& b) { return place(a) < place(b); });
    return summaries;
}

} // namespace accrue
