// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/metric_columns.h"

#include "engine/logfile/schema.h"

#include <algorithm>

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

QTEST_GUILESS_MAIN(TestMetricColumns)
#include "tst_metric_columns.moc"
