// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/run_curves.h"

#include "tests/support/example_log.h"
#include "tests/support/waiting.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace accrue;

class TestRunCurves : public QObject {
    Q_OBJECT
private:
    static ExampleRun example(std::int64_t steps)
    {
        return { exampleExperiments(1).front(), steps, 20, 0.01, RunOutcome::Completed, 0 };
    }
    std::filesystem::path file() const
    {
        return m_folder->filePath(QStringLiteral("runs.db")).toStdString();
    }
    void open()
    {
        connect(&*m_follower, &RunLogFollower::runsChanged, m_runs.get(), &RunTableModel::setRuns);
        m_follower->setFile(file());
    }
    std::size_t pointsOf(std::int64_t run, RunCurves::Kind kind)
    {
        const RunCurves::Curve* curve = m_curves->curve(RunId { run }, kind);
        return curve != nullptr ? curve->points.size() : 0;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<RunTableModel> m_runs;
    std::unique_ptr<RunCurves> m_curves;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_follower = std::make_unique<RunLogFollower>();
        m_runs = std::make_unique<RunTableModel>();
        m_curves = std::make_unique<RunCurves>(*m_follower, *m_runs, nullptr);
    }

    void cleanup()
    {
        m_curves.reset();
        m_follower.reset();
    }

    void aCurveIsReadWhenItIsAskedForAndThinned()
    {
        RunLogWriter log(file());
        for (int run = 0; run < 30; ++run)
            writeExampleRun(log, example(400));
        QVERIFY(log.flush());
        open();
        QTRY_COMPARE(m_runs->rowCount(), 30);
        QVERIFY(m_curves->curve(RunId { 7 }, RunCurves::Kind::Loss) == nullptr); // not yet
        for (int run = 1; run <= 30; ++run) // more than one question
            m_curves->curve(RunId { run }, RunCurves::Kind::Loss);
        for (int run = 1; run <= 30; ++run) {
            QTRY_VERIFY(pointsOf(run, RunCurves::Kind::Loss) > 20);
            QVERIFY(pointsOf(run, RunCurves::Kind::Loss) <= 2 * RunCurves::kBuckets + 2);
        }
        m_curves->curve(RunId { 3 }, RunCurves::Kind::Accuracy);
        QTRY_COMPARE(pointsOf(3, RunCurves::Kind::Accuracy), std::size_t { 20 });
        QVERIFY(m_curves->curve(RunId { 99 }, RunCurves::Kind::Loss) == nullptr);
    }

    void aRunThatGoesOnIsReadAgain()
    {
        RunLogWriter log(file());
        ExampleRunInLog live(log, example(100));
        live.advance(10);
        QVERIFY(log.flush());
        open();
        QTRY_COMPARE(m_runs->rowCount(), 1);
        QTRY_COMPARE(pointsOf(1, RunCurves::Kind::Loss), std::size_t { 10 });
        live.advance(30);
        QTRY_COMPARE(pointsOf(1, RunCurves::Kind::Loss), std::size_t { 40 });
        QSignalSpy changes(m_curves.get(), &RunCurves::changed);
        QCOMPARE(pointsOf(1, RunCurves::Kind::Loss), std::size_t { 40 });
        QTest::qWait(300);
        QCOMPARE(changes.size(), 0); // what is known is not read again
        live.end();
    }

    void anotherLogHasOtherCurves()
    {
        RunLogWriter log(file());
        writeExampleRun(log, example(40));
        QVERIFY(log.flush());
        open();
        QTRY_COMPARE(m_runs->rowCount(), 1);
        QTRY_VERIFY(pointsOf(1, RunCurves::Kind::Loss) > 0);
        const std::filesystem::path other =
            m_folder->filePath(QStringLiteral("other.db")).toStdString();
        RunLogWriter second(other);
        writeExampleRun(second, example(7));
        QVERIFY(second.flush());
        m_follower->setFile(other);
        QCOMPARE(pointsOf(1, RunCurves::Kind::Loss), std::size_t { 0 });
        QTRY_COMPARE(pointsOf(1, RunCurves::Kind::Loss), std::size_t { 7 });
    }
};

QTEST_GUILESS_MAIN(TestRunCurves)
#include "tst_run_curves.moc"
