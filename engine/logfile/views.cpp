// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/views.h"

#include "engine/base/case_folding.h"
#include "engine/base/shown_text.h"
#include "engine/events/metrics.h"
#include "engine/experiment/keys.h"
#include "engine/logfile/metric_columns.h"
#include "engine/logfile/query.h"
#include "engine/runs/run_record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Transaction.h>

namespace accrue {

namespace {

// Of their text beside the columns. A program that knows a higher one has replaced the views.
constexpr int kRevision = 1;
constexpr std::array kViews { "v_runs", "v_steps", "v_epochs" };

// Names that only the rows of a log know. SQLite has a limit of 2000 columns.
constexpr int kMostNames = 100;
constexpr std::size_t kLongestName = 200;

// ---- SQL ----

std::string inMarks(std::string_view text, char mark)
{
    std::string made(1, mark);
    for (const char c : text)
        made += c == mark ? std::string(2, mark) : std::string(1, c);
    return made + mark;
}

std::string literal(std::string_view text)
{
    return inMarks(text, '\'');
}

// A stored double (row_binder.h); NULL for NaN, which SQLite does not have. Every number sorts
// before every text, so that most values are compared once.
std::string number(const std::string& value)
{
    return "CASE WHEN " + value + " < '' THEN " + value + " WHEN " + value
        + " = 'inf' THEN 9e999 WHEN " + value + " = '-inf' THEN -9e999 END";
}

std::string joined(const std::vector<std::string>& parts, const char* between)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : between) + part;
    return text;
}

std::string listOf(const std::vector<MetricInfo>& metrics)
{
    std::vector<std::string> names;
    for (const MetricInfo& metric : metrics)
        names.push_back(literal(metric.name));
    return "(" + joined(names, ", ") + ")";
}

// The columns of a view; of one with several SELECTs, each has its own expression.
class ViewColumns {
public:
    void add(const std::string& name, const std::vector<std::string>& values)
    {
        // Other programs do not tell names apart by case.
        if (!m_known.insert(caseFolded(name)).second)
            return;
        m_names.push_back(name);
        m_values.push_back(values);
    }

    std::string select(std::size_t part) const
    {
        std::vector<std::string> columns;
        for (std::size_t i = 0; i < m_names.size(); ++i)
            columns.push_back(m_values[i].at(part) + " AS " + inMarks(m_names[i], '"'));
        return "SELECT " + joined(columns, ",\n    ");
    }

private:
    std::set<std::string> m_known;
    std::vector<std::string> m_names;
    std::vector<std::vector<std::string>> m_values;
};

// ---- what only the rows know ----

struct OwnNames {
    std::set<std::string> keys;
    std::set<std::string> metrics;
};

template <typename IsKnown>
std::set<std::string> namesIn(
    SQLite::Database& database, const std::string& sql, const IsKnown& isKnown)
{
    std::set<std::string> names;
    for (const std::string& name : allOf<std::string>(database, sql))
        if (!isKnown(name) && !name.empty() && name.size() <= kLongestName && isOneLine(name)
            && static_cast<int>(names.size()) < kMostNames)
            names.insert(name);
    return names;
}

OwnNames ownNames(SQLite::Database& database)
{
    return { namesIn(database,
                 "SELECT DISTINCT key FROM runs JOIN settings ON run_id = id"
                 " WHERE source <> 'accrue' ORDER BY key",
                 [](const std::string& key) { return findKey(key) != nullptr; }),
        namesIn(database, "SELECT DISTINCT metric FROM summaries ORDER BY metric",
            [](const std::string& metric) { return findMetric(metric) != nullptr; }) };
}

// ---- v_runs ----

void addIdentity(ViewColumns& columns)
{
    columns.add("run", { "r.id" });
    // Whether a run that has not ended is alive is known from locks only.
    columns.add("name", { "r.name" });
    columns.add("state",
        { "CASE WHEN r.outcome IS NOT NULL THEN 'finished' WHEN EXISTS (SELECT 1 FROM queue AS q"
          " WHERE q.run_id = r.id AND q.begun = 0) THEN 'queued' ELSE 'unfinished' END" });
    for (const char* column : { "outcome", "ended_early", "attempt", "created_ms", "ended_ms",
             "archived", "note", "tags", "source", "origin" })
        columns.add(column, { std::string("r.") + column });
    columns.add("sweep", { "(SELECT w.name FROM sweeps AS w WHERE w.id = r.sweep_id)" });
    for (const char* column : { "message", "host", "device", "device_name", "threads",
             "program_version", "code_revision", "torch_version", "cuda_version" })
        columns.add(column, { std::string("r.") + column });
    columns.add("data", { "r.data_description" });
    columns.add("checkpoint", { "r.checkpoint" });
}

// Names as in the wide CSV.
void addPlan(ViewColumns& columns)
{
    for (const char* column : { "parameters", "train_samples", "test_samples" })
        columns.add(column, { std::string("r.") + column });
    for (const auto& [name, column] : { std::pair { "plan.effective", "batch_effective" },
             { "plan.micro", "batch_micro" }, { "plan.steps", "batch_steps" },
             { "plan.devices", "batch_devices" }, { "plan.epoch_windows", "epoch_windows" },
             { "plan.tail_samples", "epoch_tail_samples" }, { "total_steps", "total_steps" } })
        columns.add(name, { std::string("r.") + column });
}

void addSetting(ViewColumns& columns, const std::string& key)
{
    columns.add(key,
        { "(SELECT s.value FROM settings AS s WHERE s.run_id = r.id AND s.key = " + literal(key)
            + ")" });
}

void addProgress(ViewColumns& columns)
{
    for (const char* column : { "step", "samples", "micro_batches", "epoch" })
        columns.add(column, { std::string("r.") + column });
    columns.add("seconds", { number("r.seconds") });
    columns.add(nameOf(MetricId::Throughput),
        { "CASE WHEN r.seconds > 0 THEN r.samples / " + number("r.seconds") + " END" });
    const std::string& peak = nameOf(MetricId::PeakBytes);
    columns.add(peak, { "r." + peak });
    columns.add("last_loss", { number("r.last_loss") });
    for (const RunResult& result : runResults())
        columns.add(result.column, { number("r." + result.column) });
    columns.add("best_metric", { "r.best_metric" });
    columns.add("best_step", { "r.best_step" });
}

void addSummary(ViewColumns& columns, const std::string& metric)
{
    for (const std::string value : { "final", "best", "best_step", "min", "max" }) {
        const std::string read = value == "best_step" ? "m." + value : number("m." + value);
        columns.add(metric + "." + value,
            { "(SELECT " + read + " FROM summaries AS m WHERE m.run_id = r.id AND m.metric = "
                + literal(metric) + ")" });
    }
}

std::string viewOfRuns(const OwnNames& own)
{
    ViewColumns columns;
    addIdentity(columns);
    addPlan(columns);
    for (const KeyInfo& key : experimentKeys())
        addSetting(columns, key.key);
    addProgress(columns);
    for (const MetricInfo& metric : metricsBeside(own.metrics))
        addSummary(columns, metric.name);
    for (const std::string& key : own.keys)
        addSetting(columns, key);
    return columns.select(0) + "\nFROM runs AS r";
}

// ---- v_steps and v_epochs ----

// A row of the run's table r and, in each part, the row that has the place in its course.
void addPlace(ViewColumns& columns, const std::vector<std::string>& rows)
{
    const auto add = [&](const std::string& name, const std::string& column, bool isDouble) {
        std::vector<std::string> values;
        for (const std::string& row : rows)
            values.push_back(isDouble ? number(row + column) : row + column);
        columns.add(name, values);
    };
    columns.add("run", std::vector<std::string>(rows.size(), "r.id"));
    columns.add("name", std::vector<std::string>(rows.size(), "r.name"));
    columns.add("archived", std::vector<std::string>(rows.size(), "r.archived"));
    for (const char* column : { "attempt", "step", "samples", "micro_batches", "epoch" })
        add(column, column, false);
    add("seconds", "seconds", true);
}

// The value of rank 0 in metric_values at the place of `row`.
std::string carriedValue(const std::string& metric, const std::string& row)
{
    return "(SELECT " + number("v.value") + " FROM metric_values AS v WHERE v.run_id = " + row
        + "run_id AND v.step = " + row + "step AND v.micro_batches = " + row
        + "micro_batches AND v.attempt = " + row + "attempt AND v.metric = " + literal(metric)
        + " AND v.rank = " + std::to_string(kFirstRank) + ")";
}

// The same as a column: an integer where the table of Accrue's own runs has one. SQLite looks up
// only the columns that a query names as long as all parts of a view have the same affinity in a
// column.
std::string carriedColumn(const MetricInfo& metric, const std::string& row)
{
    const std::string value = carriedValue(metric.name, row);
    return isWhole(metric) ? "CAST(" + value + " AS INTEGER)" : value;
}

// A later attempt computed it again. The newest one is not asked about: most runs have no other.
std::string notSuperseded(const std::string& row)
{
    return "(" + row
        + "attempt = r.attempt OR NOT EXISTS (SELECT 1 FROM attempts AS l WHERE"
          " l.run_id = "
        + row + "run_id AND l.attempt > " + row + "attempt AND l.from_micro_batches < " + row
        + "micro_batches))";
}

// The runs of other programs, which have all that they logged in metric_values: a row for each
// place with any of these metrics, of which the first one stands for all. The plus signs keep
// SQLite from looking up each name of the list, where a place has few values.
std::string fromOtherPrograms(const std::vector<MetricInfo>& metrics)
{
    const std::string names = listOf(metrics);
    const std::string rank = std::to_string(kFirstRank);
    return "\nFROM runs AS r JOIN metric_values AS s ON s.run_id = r.id\n"
           "WHERE r.source <> 'accrue' AND s.rank = "
        + rank + " AND +s.metric IN " + names
        + " AND NOT EXISTS (SELECT 1 FROM metric_values AS f WHERE f.run_id = s.run_id AND f.step ="
          " s.step AND f.micro_batches = s.micro_batches AND f.attempt = s.attempt AND f.metric <"
          " s.metric AND f.rank = "
        + rank + " AND +f.metric IN " + names + ")";
}

std::vector<MetricInfo> metricsOf(std::initializer_list<MetricSection> sections)
{
    std::vector<MetricInfo> found;
    for (const MetricSection section : sections)
        for (const MetricInfo& metric : metrics())
            if (metric.section == section)
                found.push_back(metric);
    return found;
}

// Which runs have values of a metric in metric_values; the answer for a run saves a look at each of
// its steps.
std::string runsWith(const std::vector<MetricInfo>& carried)
{
    std::vector<std::string> columns { "id", "name", "archived", "attempt" };
    for (const MetricInfo& metric : carried)
        columns.push_back(
            "EXISTS (SELECT 1 FROM summaries AS m WHERE m.run_id = o.id AND m.metric = "
            + literal(metric.name) + ") AS has_" + std::to_string(columns.size()));
    return "WITH known AS MATERIALIZED (SELECT " + joined(columns, ",\n    ")
        + "\nFROM runs AS o WHERE source = 'accrue')\n";
}

std::string viewOfSteps(const OwnNames& own)
{
    ViewColumns columns;
    addPlace(columns, { "s.", "s." });
    for (const char* column : { "window_samples", "updated" })
        columns.add(column, { std::string("s.") + column, "CAST(NULL AS INTEGER)" });
    std::vector<MetricInfo> shown = metricsOf({ MetricSection::Step });
    for (const std::string& name : own.metrics)
        shown.push_back(metricNamed(name));
    std::vector<MetricInfo> carried;
    for (const MetricInfo& metric : shown) {
        std::string value = number("s." + metric.name);
        if (isCarriedByName(metric)) {
            carried.push_back(metric);
            value = "CASE WHEN r.has_" + std::to_string(3 + carried.size()) + " THEN "
                + carriedValue(metric.name, "s.") + " END";
        } else if (isWhole(metric)) {
            value = "s." + metric.name;
        } else if (metric.id == MetricId::Throughput) {
            value = placeOf(metric).value;
        }
        columns.add(metric.name, { value, carriedColumn(metric, "s.") });
    }
    return runsWith(carried) + columns.select(0)
        + "\nFROM known AS r JOIN steps AS s ON s.run_id = r.id\nWHERE " + notSuperseded("s.")
        + "\nUNION ALL\n" + columns.select(1) + fromOtherPrograms(shown);
}

// A row for the end of each epoch, with the evaluation at its place, and for each other evaluation.
std::string viewOfEpochs(const OwnNames& /*own*/)
{
    ViewColumns columns;
    addPlace(columns, { "e.", "s.", "s." });
    const std::vector<MetricInfo> shown =
        metricsOf({ MetricSection::Epoch, MetricSection::Evaluation });
    for (const MetricInfo& metric : shown) {
        const bool ofEpoch = metric.section == MetricSection::Epoch;
        columns.add(metric.name,
            { number((ofEpoch ? "e." : "s.") + metric.name),
                ofEpoch ? "NULL" : number("s." + metric.name), carriedColumn(metric, "s.") });
    }
    return columns.select(0)
        + "\nFROM runs AS r JOIN epochs AS e ON e.run_id = r.id\nLEFT JOIN evaluations AS s ON"
          " s.run_id = e.run_id AND s.step = e.step AND s.attempt = e.attempt\nWHERE "
        + notSuperseded("e.") + "\nUNION ALL\n" + columns.select(1)
        + "\nFROM runs AS r JOIN evaluations AS s ON s.run_id = r.id\nWHERE " + notSuperseded("s.")
        + " AND NOT EXISTS (SELECT 1 FROM epochs AS e WHERE e.run_id = s.run_id AND e.step = s.step"
          " AND e.attempt = s.attempt)\nUNION ALL\n"
        + columns.select(2) + fromOtherPrograms(shown);
}

// ---- what the file has ----

constexpr std::string_view kRevisionMark = "/* revision ";

std::string statementOf(const std::string& view, const std::string& select)
{
    return "CREATE VIEW " + view + " AS " + std::string(kRevisionMark) + std::to_string(kRevision)
        + " */ " + select;
}

int revisionIn(std::string_view statement)
{
    const std::size_t mark = statement.find(kRevisionMark);
    int revision = 0;
    if (mark != std::string_view::npos) {
        const char* const begin = statement.data() + mark + kRevisionMark.size();
        std::from_chars(begin, statement.data() + statement.size(), revision);
    }
    return revision;
}

// Each has its name in quotation marks after AS.
std::set<std::string, std::less<>> columnsIn(std::string_view statement)
{
    constexpr std::string_view kName = " AS \"";
    std::set<std::string, std::less<>> names;
    for (std::size_t at = statement.find(kName); at != std::string_view::npos;
         at = statement.find(kName, at)) {
        at += kName.size();
        std::size_t end = at;
        while (
            end < statement.size() && (statement[end] != '"' || statement.substr(end, 2) == "\"\""))
            end += statement[end] == '"' ? 2 : 1;
        names.emplace(statement.substr(at, end - at));
        at = std::min(end, statement.size());
    }
    return names;
}

// Whether the view of the file is to be replaced by ours. Its text may be anybody's.
bool isOutdated(const std::optional<std::string>& there, const std::string& ours)
{
    if (!there)
        return true;
    const int revision = revisionIn(*there);
    if (revision != kRevision)
        return revision < kRevision;
    const auto known = columnsIn(*there);
    for (const std::string& column : columnsIn(ours))
        if (!known.contains(column))
            return true;
    return false;
}

std::optional<std::string> viewIn(SQLite::Database& database, const std::string& name)
{
    return firstOf<std::string>(
        database, "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?", name);
}

void createViews(SQLite::Database& database)
{
    const OwnNames own = ownNames(database);
    const std::array selects { viewOfRuns(own), viewOfSteps(own), viewOfEpochs(own) };
    std::vector<std::string> outdated;
    for (std::size_t i = 0; i < kViews.size(); ++i) {
        const std::string statement = statementOf(kViews.at(i), selects.at(i));
        const auto there = viewIn(database, kViews.at(i));
        if (!isOutdated(there, statement))
            continue;
        if (there)
            outdated.push_back(std::string("DROP VIEW ") + kViews.at(i));
        outdated.push_back(statement);
    }
    if (outdated.empty())
        return;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    for (const std::string& statement : outdated)
        database.exec(statement);
    transaction.commit();
}

} // namespace

void updateViews(SQLite::Database& database)
{
    try {
        createViews(database);
    } catch (const SQLite::Exception&) {
        // Training and everything else works without them.
        return;
    }
}

void dropViews(SQLite::Database& database)
{
    for (const char* view : kViews)
        if (viewIn(database, view))
            database.exec(std::string("DROP VIEW ") + view);
}

} // namespace accrue
