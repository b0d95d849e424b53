// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/foreign_rows.h"

#include "engine/events/event_json.h"
#include "engine/logfile/histogram_rows.h"
#include "engine/logfile/metric_columns.h"
#include "engine/logfile/query.h"
#include "engine/logfile/setting_rows.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/run_rows.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include <SQLiteCpp/Database.h>

namespace accrue {

namespace {

constexpr std::int64_t kOnlyAttempt = 1;

// The values of all series in the order of the table's key, by step and metric, in which SQLite
// inserts rows fastest.
class ValuesInOrder {
public:
    struct Value {
        const std::string& metric;
        const ForeignPoint& point;
    };

    explicit ValuesInOrder(const ForeignRun& run)
        : m_series(run.series)
        , m_read(run.series.size())
    {
        for (std::size_t i = 0; i < m_series.size(); ++i)
            wait(i);
    }
    bool isAtEnd() const { return m_waiting.empty(); }
    Value next()
    {
        const std::size_t series = m_waiting.top().second;
        m_waiting.pop();
        const Value value { m_series[series].metric, m_series[series].points[m_read[series]++] };
        wait(series);
        return value;
    }

private:
    using Next = std::pair<std::int64_t, std::size_t>; // step, and the number of the series

    void wait(std::size_t series)
    {
        const std::vector<ForeignPoint>& points = m_series[series].points;
        if (m_read[series] < points.size())
            m_waiting.emplace(points[m_read[series]].step, series);
    }

    const std::vector<ForeignSeries>& m_series; // by metric
    std::vector<std::size_t> m_read; // of each
    std::priority_queue<Next, std::vector<Next>, std::greater<>> m_waiting;
};

void insertRow(SQLite::Database& database, const ForeignRun& run)
{
    execute(database,
        insertText("INSERT INTO runs",
            { "token", "name", "source", "created_ms", "recipe", "host", "boot_id", "pid",
                "program_version", "code_revision", "batch_effective", "batch_micro", "batch_steps",
                "batch_devices", "batch_solved", "smallest_slice" }),
        run.token, run.name, nameOf(run.source), run.createdMs, "", "", "", 0, "", "", 0, 0, 0, 0,
        nameOf(BatchPlan::Solved::None), 0);
    execute(database,
        insertText("INSERT INTO attempts",
            { "run_id", "attempt", "started_ms", "host", "pid", "program_version",
                "code_revision" }),
        database.getLastInsertRowid(), kOnlyAttempt, run.createdMs, "", 0, "", "");
}

// What an import may change of a run that is there.
void updateRow(SQLite::Database& database, RunId id, const ForeignRun& run)
{
    execute(database,
        "UPDATE runs SET origin = ?, created_ms = ?, started_ms = ?, ended_ms = ?, outcome = ?"
        " WHERE id = ?",
        run.origin, run.createdMs, run.createdMs, run.endedMs, nameOf(run.outcome), id);
    execute(database,
        "UPDATE attempts SET started_ms = ?, ended_ms = ?, outcome = ? WHERE run_id = ?",
        run.createdMs, run.endedMs, nameOf(run.outcome), id);
}

void insertValues(SQLite::Database& database, RunId id, const ForeignRun& run)
{
    SQLite::Statement insert(database,
        insertText("INSERT INTO metric_values", courseColumns({ "metric", "rank", "value" })));
    for (ValuesInOrder values(run); !values.isAtEnd();) {
        const auto [metric, point] = values.next();
        RowBinder row(insert);
        bindPlace(
            row, id, kOnlyAttempt, ResumePoint { .step = point.step, .seconds = point.seconds });
        row.bind(metric, kFirstRank, point.value).run();
    }
}

void insertHistograms(LogConnection& connection, RunId id, const ForeignRun& run)
{
    HistogramRows rows(connection.database(), connection.seals());
    for (const HistogramsMeasured& measured : run.histograms)
        rows.write(id, kOnlyAttempt, measured);
}

// The columns of `runs` and the summaries, as a run of Accrue's has them.
LoggedProgress progressOf(const ForeignRun& run)
{
    LoggedProgress progress;
    for (const ForeignSeries& series : run.series) {
        const MetricInfo metric = metricNamed(series.metric);
        for (const ForeignPoint& point : series.points) {
            progress.step = std::max(progress.step, point.step);
            progress.seconds = std::max(progress.seconds, point.seconds);
            if (metric.section != MetricSection::Trace)
                progress.tallies.add(metric, point.value, point.step);
        }
    }
    for (const HistogramsMeasured& measured : run.histograms) {
        progress.step = std::max(progress.step, measured.step);
        progress.seconds = std::max(progress.seconds, measured.seconds);
    }
    return progress;
}

bool hasSameRow(SQLite::Database& database, RunId id, const ForeignRun& run)
{
    return firstOf<int>(database,
        "SELECT 1 FROM runs WHERE id = ? AND created_ms = ? AND ended_ms = ? AND outcome = ?", id,
        run.createdMs, run.endedMs, nameOf(run.outcome))
        .has_value();
}

bool hasSameSettings(SQLite::Database& database, RunId id, const ForeignRun& run)
{
    Settings settings = run.settings;
    std::sort(settings.begin(), settings.end());
    return readSettings(database, id) == settings;
}

bool hasSameValues(SQLite::Database& database, RunId id, const ForeignRun& run)
{
    Query rows(database,
        "SELECT step, seconds, value, metric FROM metric_values WHERE run_id = ?"
        " ORDER BY step, micro_batches, attempt, metric, rank",
        id);
    ValuesInOrder values(run);
    while (rows.next()) {
        if (values.isAtEnd())
            return false;
        const auto [metric, point] = values.next();
        ForeignPoint stored;
        rows.read(stored.step, stored.seconds, stored.value);
        if (stored.step != point.step || stored.seconds != point.seconds
            || !sameValue(stored.value, point.value) || rows.text() != metric)
            return false;
    }
    return values.isAtEnd();
}

bool isSame(const HistogramAtStep& stored, const HistogramAtStep& other)
{
    return stored.step == other.step && stored.seconds == other.seconds
        && stored.histogram == other.histogram;
}

bool hasSameHistograms(SQLite::Database& database, RunId id, const ForeignRun& run)
{
    using Of = std::pair<std::string, HistogramOf>;
    std::map<Of, std::vector<HistogramAtStep>> wanted;
    for (const std::string& parameter : readHistogramNames(database, id).parameters)
        for (const HistogramOf of : { HistogramOf::Value, HistogramOf::Gradient })
            wanted[{ parameter, of }];
    for (const HistogramsMeasured& measured : run.histograms)
        for (const ParameterHistogram& histogram : measured.histograms)
            wanted[{ histogram.parameter, histogram.of }].push_back(
                { measured.step, histogram, measured.seconds });
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto& each) {
        const auto& [of, histograms] = each;
        const auto stored = readHistograms(
            database, id, of.first, of.second, std::numeric_limits<std::size_t>::max());
        return std::equal(
            stored.begin(), stored.end(), histograms.begin(), histograms.end(), isSame);
    });
}

void replaceContent(LogConnection& connection, RunId id, const ForeignRun& run)
{
    SQLite::Database& database = connection.database();
    for (const char* table : { "metric_values", "histograms", "summaries", "settings" })
        execute(database, "DELETE FROM " + std::string(table) + " WHERE run_id = ?", id);
    updateRow(database, id, run);
    insertSettings(database, id, run.settings);
    insertValues(database, id, run);
    insertHistograms(connection, id, run);
    LoggedProgress progress = progressOf(run);
    connection.rows().writeSummary(id, progress);
    for (const CheckedTable table : { CheckedTable::Runs, CheckedTable::RunSettings,
             CheckedTable::Attempts, CheckedTable::Summaries })
        connection.seals().touch(id, table);
    for (const CheckedTable table : { CheckedTable::MetricValues, CheckedTable::Histograms })
        connection.seals().touch(id, table, kOnlyAttempt, 0);
}

} // namespace

ImportedRun writeForeignRun(LogConnection& connection, const ForeignRun& run)
{
    SQLite::Database& database = connection.database();
    const auto find = [&] {
        return firstOf<RunId>(database, "SELECT id FROM runs WHERE token = ?", run.token);
    };
    std::optional<RunId> id = find();
    const bool isNew = !id;
    if (isNew) {
        insertRow(database, run);
        id = find();
    } else if (hasSameRow(database, *id, run) && hasSameSettings(database, *id, run)
        && hasSameValues(database, *id, run) && hasSameHistograms(database, *id, run)) {
        return { *id, ImportResult::Unchanged };
    }
    replaceContent(connection, *id, run);
    return { *id, isNew ? ImportResult::Added : ImportResult::Updated };
}

} // namespace accrue
