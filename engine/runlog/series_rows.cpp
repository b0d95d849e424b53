// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/series_rows.h"

#include "engine/runlog/run_log_error.h"
#include "engine/runlog/schema.h"
#include "engine/runlog/stored_number.h"
#include "engine/runlog/superseded_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

constexpr std::int64_t kBeforeFirstStep = std::numeric_limits<std::int64_t>::min();

// Where a metric is stored. The names become part of a SELECT; all of them stand here.
struct Place {
    std::string_view metric;
    const char* table;
    const char* value;
    int since = 1; // the file format that has it; from 2 on, rows of NULL have no value
};
constexpr std::array kPlaces {
    Place { "loss", "steps", "loss" },
    Place { "learning_rate", "steps", "learning_rate" },
    Place { "gradient_norm", "steps", "gradient_norm" },
    Place { "step_ms", "steps", "step_ms" },
    Place { "data_ms", "steps", "data_ms" },
    Place { "forward_ms", "steps", "forward_ms" },
    Place { "backward_ms", "steps", "backward_ms" },
    Place { "optimizer_ms", "steps", "optimizer_ms" },
    Place { "peak_bytes", "steps", "peak_bytes" },
    // NULL, so not a number, where the time was not measured.
    Place {
        "throughput", "steps", "CASE WHEN step_ms > 0 THEN window_samples * 1000.0 / step_ms END" },
    Place { "train_loss", "epochs", "train_loss" },
    Place { "train_accuracy", "epochs", "train_accuracy" },
    Place { "test_loss", "evaluations", "test_loss" },
    Place { "test_accuracy", "evaluations", "test_accuracy" },
    Place { "validation_loss", "evaluations", "validation_loss", 2 },
    Place { "validation_accuracy", "evaluations", "validation_accuracy", 2 },
    Place { "traced_value_1", "traces", "value_1", 3 },
    Place { "traced_value_2", "traces", "value_2", 3 },
    Place { "traced_value_3", "traces", "value_3", 3 },
    Place { "traced_value_4", "traces", "value_4", 3 },
    Place { "traced_checksum", "traces", "checksum", 3 },
};

const Place& placeOf(std::string_view metric)
{
    for (const Place& place : kPlaces)
        if (place.metric == metric)
            return place;
    std::string known;
    for (const Place& place : kPlaces)
        known += (known.empty() ? "" : ", ") + std::string(place.metric);
    throw RunLogError(
        "There is no metric \"" + std::string(metric) + "\"; there are " + known + ".");
}

bool isMissing(SQLite::Database& database, const Place& place)
{
    return versionOf(database).version < place.since;
}

// Epochs passed, so that the steps within an epoch lie side by side.
const char* axisExpression(Axis axis)
{
    switch (axis) {
    case Axis::Step:
        return "step";
    case Axis::Samples:
        return "samples";
    case Axis::MicroBatches:
        return "micro_batches";
    case Axis::Epoch:
        return "coalesce(samples * 1.0 / (SELECT nullif(train_samples, 0) FROM runs WHERE id = ?1),"
               " epoch)";
    case Axis::Seconds:
        break;
    }
    return "seconds";
}

// The rows of one metric after `afterStep`, in step order, without those that are superseded.
class RowsOfMetric {
public:
    RowsOfMetric(SQLite::Database& database, RunId run, const Place& place,
        const std::string& columns, std::int64_t afterStep)
        : RowsOfMetric(database, run, place, columns, " AND step > ?2")
    {
        m_select.bind(1, numberOf(run));
        m_select.bind(2, afterStep);
    }
    RowsOfMetric(SQLite::Database& database, const Place& place, const std::string& columns,
        const RowRange& range)
        : RowsOfMetric(
            database, range.run, place, columns, " AND step BETWEEN ?2 AND ?3 AND attempt = ?4")
    {
        m_select.bind(1, numberOf(range.run));
        m_select.bind(2, range.firstStep);
        m_select.bind(3, range.lastStep);
        m_select.bind(4, range.attempt);
    }

    bool next()
    {
        while (m_select.executeStep())
            if (m_superseded.none() || !isSuperseded())
                return true;
        return false;
    }
    SQLite::Column column(int index) { return m_select.getColumn(index); }

private:
    RowsOfMetric(SQLite::Database& database, RunId run, const Place& place,
        const std::string& columns, const std::string& which)
        : m_superseded(database, run)
        , m_select(database,
              "SELECT " + columns + ", " + place.value
                  + (m_superseded.none() ? "" : ", attempt, micro_batches") + " FROM " + place.table
                  + " WHERE run_id = ?1" + which
                  + (place.since > 1 ? " AND " + std::string(place.value) + " IS NOT NULL" : "")
                  + " ORDER BY step, micro_batches, attempt")
    {
    }

    bool isSuperseded()
    {
        const int last = m_select.getColumnCount() - 1;
        return m_superseded.contains(
            m_select.getColumn(last - 1).getInt64(), m_select.getColumn(last).getInt64());
    }

    const SupersededRows m_superseded;
    SQLite::Statement m_select;
};

constexpr const char* kAxes = "step, samples, micro_batches, epoch, seconds";

void addRows(std::vector<SeriesRow>& all, RowsOfMetric& rows)
{
    while (rows.next())
        all.push_back({ rows.column(0).getInt64(), rows.column(1).getInt64(),
            rows.column(2).getInt64(), rows.column(3).getInt64(), storedNumber(rows.column(4)),
            storedNumber(rows.column(5)) });
}

} // namespace

std::vector<SeriesPoint> readSeries(SQLite::Database& database, RunId run, std::string_view metric,
    Axis axis, std::int64_t afterStep)
{
    const Place& place = placeOf(metric);
    if (isMissing(database, place))
        return {};
    RowsOfMetric rows(database, run, place, axisExpression(axis), afterStep);
    std::vector<SeriesPoint> points;
    while (rows.next())
        points.push_back({ storedNumber(rows.column(0)), storedNumber(rows.column(1)) });
    return points;
}

CheckedTable tableOf(std::string_view metric)
{
    return *checkedTableNamed(placeOf(metric).table);
}

std::vector<SeriesRow> readRows(SQLite::Database& database, RunId run, std::string_view metric,
    const std::vector<RowRange>* whole)
{
    const Place& place = placeOf(metric);
    if (isMissing(database, place))
        return {};
    std::vector<SeriesRow> all;
    if (whole == nullptr) {
        RowsOfMetric rows(database, run, place, kAxes, kBeforeFirstStep);
        addRows(all, rows);
        return all;
    }
    for (const RowRange& range : *whole) {
        RowsOfMetric rows(database, place, kAxes, range);
        addRows(all, rows);
    }
    std::stable_sort(all.begin(), all.end(), [](const SeriesRow& a, const SeriesRow& b) {
        return std::tie(a.step, a.microBatches) < std::tie(b.step, b.microBatches);
    });
    return all;
}

std::vector<MetricSummary> readSummaries(SQLite::Database& database, RunId run)
{
    SQLite::Statement select(database,
        "SELECT final, best, best_step, min, max FROM summaries WHERE run_id = ? AND metric = ?");
    std::vector<MetricSummary> summaries;
    for (const MetricInfo& metric : metrics()) {
        select.bind(1, numberOf(run));
        select.bind(2, metric.name);
        if (select.executeStep())
            summaries.push_back({ metric.name, storedNumber(select.getColumn(0)),
                storedNumber(select.getColumn(1)), select.getColumn(2).getInt64(),
                storedNumber(select.getColumn(3)), storedNumber(select.getColumn(4)) });
        select.reset();
    }
    return summaries;
}

} // namespace accrue
