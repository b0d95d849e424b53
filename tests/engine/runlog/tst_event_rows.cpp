// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/event_rows.h"

#include "run_log_fixture.h"

#include "engine/logfile/row_seals.h"
#include "engine/logfile/schema.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/series_rows.h"

#include <map>

#include <QTest>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Transaction.h>

using namespace accrue;

class TestEventRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesAgainAfterAnInsertHasFailed();
    void everyMetricKeepsItsOwnValue();
    void aTraceIsReadBackByMicroBatch();
};

void TestEventRows::writesAgainAfterAnInsertHasFailed()
{
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, migrations());
    const RunId run = insertRun(database, requireResolved(experimentNamed("full")), "token");
    RowSeals seals(database);
    EventRows rows(database, seals);
    LoggedProgress progress;
    const std::string pages = database.execAndGet("PRAGMA page_count").getString();
    database.exec("PRAGMA max_page_count = " + pages); // full within an INSERT, not at the commit
    const auto writeSteps = [&] {
        LoggedProgress next = progress;
        SQLite::Transaction transaction(database);
        for (std::int64_t step = 1; step <= 500; ++step)
            rows.write(run, next, stepAt(step));
        rows.finish();
        rows.writeSummary(run, next);
        transaction.commit();
        progress = next;
    };
    QVERIFY_THROWS_EXCEPTION(SQLite::Exception, writeSteps());
    database.exec("PRAGMA max_page_count = 1000000");
    writeSteps();
    QCOMPARE(database.execAndGet("SELECT count(*) FROM steps").getInt(), 500);
    QCOMPARE(progress.step, 500);
}

// Columns and values are bound by position: each value must reach the column of its metric.
void TestEventRows::everyMetricKeepsItsOwnValue()
{
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, migrations());
    const RunId run = insertRun(database, requireResolved(experimentNamed("distinct")), "token");
    RowSeals seals(database);
    EventRows rows(database, seals);
    LoggedProgress progress;
    StepDone step = stepAt(1);
    step.loss = 1;
    step.learningRate = 2;
    step.gradientNorm = 3;
    step.stepMs = 4;
    step.dataMs = 5;
    step.forwardMs = 6;
    step.backwardMs = 7;
    step.optimizerMs = 8;
    step.peakBytes = 9;
    step.values = { { "update_ratio", 17 } };
    rows.write(run, progress, step);
    rows.write(run, progress, epochAt(1, 1, 11, 12));
    rows.write(run, progress, validated(evaluationAt(1, 13, 14), 15, 16));
    RanksMeasured ranks { .step = 1 };
    double next = 18;
    for (const MetricInfo& metric : metrics())
        if (isCarriedByName(metric) && metric.name != "update_ratio")
            ranks.values.push_back({ metric.name, next++ });
    rows.write(run, progress, ranks);
    rows.finish();
    rows.writeSummary(run, progress);
    std::vector<std::pair<std::string, double>> expected { { "loss", 1 }, { "learning_rate", 2 },
        { "gradient_norm", 3 }, { "step_ms", 4 }, { "data_ms", 5 }, { "forward_ms", 6 },
        { "backward_ms", 7 }, { "optimizer_ms", 8 }, { "peak_bytes", 9 },
        { "throughput", 128 * 1000 / 4.0 }, { "train_loss", 11 }, { "train_accuracy", 12 },
        { "test_loss", 13 }, { "test_accuracy", 14 }, { "validation_loss", 15 },
        { "validation_accuracy", 16 }, { "update_ratio", 17 } };
    // Metrics that code does not name follow by their names.
    std::map<std::string, double> others;
    for (const MetricValue& each : ranks.values)
        others.emplace(each.metric, each.value);
    expected.insert(expected.end(), others.begin(), others.end());
    const std::vector<MetricSummary> summaries = readSummaries(database, run);
    QCOMPARE(summaries.size(), expected.size());
    QCOMPARE(metrics().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto& [metric, value] = expected[i];
        QCOMPARE(summaries[i].metric, metric);
        QCOMPARE(summaries[i].final, value);
        QCOMPARE(readSeries(database, run, metric, Axis::Step, 0).back().y, value);
    }
}

// Of a parameter of two values, and without what a later attempt did again.
void TestEventRows::aTraceIsReadBackByMicroBatch()
{
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, migrations());
    const RunId run = insertRun(database, requireResolved(experimentNamed("traced")), "token");
    RowSeals seals(database);
    EventRows rows(database, seals);
    LoggedProgress progress;
    const auto traced = [](std::int64_t microBatch, double value) {
        return TracedMicroBatch { .samples = 32 * microBatch,
            .microBatches = microBatch,
            .checksum = 0xffffffffU,
            .values = { value, -value } };
    };
    rows.write(run, progress,
        ParameterTraced { .step = 1, .epoch = 1, .microBatches = { traced(1, 5), traced(2, 6) } });
    insertAttempt(database, run, 2, ResumePoint { .samples = 32, .microBatches = 1 });
    database.exec("UPDATE runs SET attempt = 2");
    progress.attempt = 2;
    rows.write(
        run, progress, ParameterTraced { .step = 1, .epoch = 1, .microBatches = { traced(2, 7) } });
    const auto points = [&](const char* metric) {
        return readSeries(database, run, metric, Axis::MicroBatches, 0);
    };
    QVERIFY(points("traced_value_1") == std::vector<SeriesPoint>({ { 1, 5 }, { 2, 7 } }));
    QVERIFY(points("traced_value_2") == std::vector<SeriesPoint>({ { 1, -5 }, { 2, -7 } }));
    QVERIFY(points("traced_value_3").empty());
    QCOMPARE(points("traced_checksum").back().y, 4294967295.0);
    QCOMPARE(readRows(database, run, "traced_value_1").back().samples, std::int64_t { 64 });
}

QTEST_GUILESS_MAIN(TestEventRows)
#include "tst_event_rows.moc"
