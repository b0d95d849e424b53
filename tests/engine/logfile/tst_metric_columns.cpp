// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/metric_columns.h"

#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"

#include <algorithm>
#include <limits>

#include <QTest>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

using namespace accrue;

class TestMetricColumns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { migrate(m_database, migrations()); }
    void everyMetricCanBeReadWhereItIsStored();
    void everyColumnOfARowIsInItsTable();
    void sqlComputesTheThroughputOfTheTableOfMetrics();

private:
    SQLite::Database m_database { ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE };
};

void TestMetricColumns::everyMetricCanBeReadWhereItIsStored()
{
    for (const auto* table : { &metrics(), &tracedMetrics() })
        for (const MetricInfo& metric : *table) {
            const MetricPlace place = placeOf(metric);
            QVERIFY(place.since <= currentVersion());
            SQLite::Statement select(m_database,
                "SELECT attempt, micro_batches, " + place.value + " FROM "
                    + std::string(nameOf(place.table)));
            QVERIFY2(!select.executeStep(), metric.name.c_str());
        }
    QCOMPARE(placeOf(metricNamed("noise_scale")).table, CheckedTable::MetricValues);
    QCOMPARE(placeOf(metricNamed("noise_scale")).since, 8);
}

void TestMetricColumns::everyColumnOfARowIsInItsTable()
{
    const std::vector<std::pair<const char*, Columns>> rows {
        { "steps", courseColumns({ "window_samples", "updated" }, MetricSection::Step) },
        { "epochs", courseColumns({}, MetricSection::Epoch) },
        { "evaluations", courseColumns({ "evaluation_ms" }, MetricSection::Evaluation) },
        { "metric_values", courseColumns({ "metric", "rank", "value" }) },
        { "traces", courseColumns({}, MetricSection::Trace) },
    };
    for (const auto& [table, columns] : rows) {
        SQLite::Statement select(m_database, "SELECT name FROM pragma_table_info(?)");
        select.bind(1, table);
        Columns found;
        while (select.executeStep())
            found.push_back(select.getColumn(0).getString());
        Columns wanted = columns;
        std::sort(found.begin(), found.end());
        std::sort(wanted.begin(), wanted.end());
        QVERIFY2(found == wanted, table);
    }
}

// What a live run counts comes from the event; what a resumed run and a check count, from its row.
void TestMetricColumns::sqlComputesTheThroughputOfTheTableOfMetrics()
{
    using Limits = std::numeric_limits<double>;
    const MetricInfo& metric = infoOf(MetricId::Throughput);
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE steps (window_samples INTEGER, step_ms ANY) STRICT");
    for (const double time : { 4.0, 0.0, -0.0, -4.0, Limits::quiet_NaN(), Limits::infinity(),
             -Limits::infinity(), Limits::denorm_min(), Limits::max() }) {
        execute(database, "DELETE FROM steps");
        execute(database, "INSERT INTO steps VALUES (?, ?)", 128, time);
        const auto inSql = firstOf<std::optional<double>>(
            database, "SELECT " + placeOf(metric).value + " FROM steps");
        QVERIFY(inSql);
        const auto inEvent = metricIn(metric, StepDone { .windowSamples = 128, .stepMs = time });
        QVERIFY2(*inSql == inEvent, std::to_string(time).c_str());
        QCOMPARE(inEvent.has_value(), time > 0 && time <= Limits::max());
    }
}

QTEST_GUILESS_MAIN(TestMetricColumns)
#include "tst_metric_columns.moc"
