// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/step_rows.h"

#include "run_log_fixture.h"

#include "engine/logfile/schema.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/series_rows.h"

#include <SQLiteCpp/Database.h>

#include <QTest>

using namespace accrue;

namespace {

class MemoryLog {
public:
    MemoryLog() { migrate(database, migrations()); }
    RunId begin(const std::string& name)
    {
        return insertRun(database, requireResolved(experimentNamed(name)), name);
    }
    std::vector<SeriesPoint> losses(RunId run)
    {
        return readSeries(database, run, "loss", Axis::Step, 0);
    }

    SQLite::Database database { ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE };
};

} // namespace

class TestStepRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAreThereHoweverManyThereAre();
    void aStepToldTwiceIsKeptAsItWasFirst();
    void whatAFailedTransactionHeldBackIsForgotten();
};

void TestStepRows::stepsAreThereHoweverManyThereAre()
{
    MemoryLog log;
    const RunId run = log.begin("many");
    const RunId other = log.begin("other");
    StepRows rows(log.database);
    std::int64_t steps = 0;
    for (int together = 1; together <= 20; ++together) {
        for (int i = 0; i < together; ++i)
            rows.write(run, 1, stepAt(++steps));
        rows.write(other, 1, stepAt(together));
        rows.finish();
        QCOMPARE(log.losses(run).size(), static_cast<std::size_t>(steps));
        QCOMPARE(log.losses(other).back().y, stepAt(together).loss);
    }
    for (const SeriesPoint& point : log.losses(run))
        QCOMPARE(point.y, stepAt(static_cast<std::int64_t>(point.x)).loss);
}

void TestStepRows::aStepToldTwiceIsKeptAsItWasFirst()
{
    MemoryLog log;
    const RunId run = log.begin("twice");
    StepRows rows(log.database);
    for (std::int64_t i = 0; i < 8; ++i) {
        StepDone step = stepAt(1 + i / 2);
        step.loss = static_cast<double>(i);
        rows.write(run, 1, step);
    }
    rows.finish();
    std::vector<double> losses;
    for (const SeriesPoint& point : log.losses(run))
        losses.push_back(point.y);
    QCOMPARE(losses, std::vector<double>({ 0, 2, 4, 6 }));
}

void TestStepRows::whatAFailedTransactionHeldBackIsForgotten()
{
    MemoryLog log;
    const RunId run = log.begin("failed");
    StepRows rows(log.database);
    rows.write(run, 1, stepAt(1));
    rows.forget();
    rows.write(run, 1, stepAt(2));
    rows.finish();
    QCOMPARE(log.losses(run).size(), std::size_t { 1 });
    QCOMPARE(log.losses(run).front().x, 2.0);
}

QTEST_GUILESS_MAIN(TestStepRows)
#include "tst_step_rows.moc"
