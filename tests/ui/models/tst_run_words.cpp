// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_words.h"

#include <QTest>

#include "tests/ui/models/run_records.h"

#include <limits>
#include <set>

using namespace accrue;

class TestRunWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStateAndOutcomeHasAWordOfItsOwn()
    {
        const QStringList texts = stateTexts();
        QVERIFY(!texts.contains(QString()));
        QCOMPARE(std::set<QString>(texts.begin(), texts.end()).size(), std::size_t { 11 });
        QCOMPARE(texts.size(), 11);
    }

    void aFinishedRunSaysHowItEnded()
    {
        RunRecord run = recordOf(1);
        run.outcome = RunOutcome::OutOfMemory;
        QCOMPARE(stateText(run), outcomeText(RunOutcome::OutOfMemory));
        run.state = RunState::Interrupted; // whatever its last attempt ended with
        QVERIFY(stateText(run) != outcomeText(RunOutcome::OutOfMemory));
        for (const RunState state : { RunState::Running, RunState::Finished, RunState::Unknown }) {
            run.state = state;
            run.outcome.reset();
            QVERIFY(stateTexts().contains(stateText(run))); // columns are as wide as these
        }
    }

    void onlyWhatRunsOrWaitsToGoOnIsLive()
    {
        RunRecord run = recordOf(1);
        for (const RunState state : { RunState::Queued, RunState::Running, RunState::Paused,
                 RunState::Finished, RunState::Interrupted, RunState::Unknown }) {
            run.state = state;
            QCOMPARE(isLive(run), state == RunState::Running || state == RunState::Paused);
        }
    }

    void aTitleTellsRunsOfOneNameApart()
    {
        QCOMPARE(runTitle(recordOf(12)), QStringLiteral("run-12 #12"));
        QCOMPARE(runTitle("学习率", RunId { 8 }), QStringLiteral("学习率 #8"));
    }

    void aNameFromRightToLeftIsIsolatedFromItsNumber()
    {
        const QString arabic = QStringLiteral("تجربة");
        QCOMPARE(runTitle(arabic.toStdString(), RunId { 8 }),
            QStringLiteral("\u2068%1\u2069 #8").arg(arabic));
        const QString mixed = QStringLiteral("run תווית 2");
        QCOMPARE(runTitle(mixed.toStdString(), RunId { 12 }),
            QStringLiteral("\u2068%1\u2069 #12").arg(mixed));
    }

    void aMarkThatTurnsTheTextEndsWithTheName()
    {
        const QString turned = QStringLiteral("a\u202eb"); // right-to-left override
        QCOMPARE(runTitle(turned.toStdString(), RunId { 1 }),
            QStringLiteral("\u2068%1\u2069 #1").arg(turned));
    }

    void aCompletedRunIsAskedForMoreOfWhatEndedIt_data()
    {
        QTest::addColumn<int>("limit");
        QTest::addColumn<int>("length");
        QTest::addColumn<QString>("says");
        // 5 epochs of 10 updates.
        QTest::newRow("epochs") << 0 << 5 << "completed its 5 epochs. How many epochs";
        QTest::newRow("limit") << 3 << 3
                               << "completed its 3 steps (run.limit_steps). How many steps";
        QTest::newRow("both") << 50 << 5 << "completed its 5 epochs. How many epochs";
        QTest::newRow("limit not reached") << 51 << 5 << "completed its 5 epochs. How many epochs";
    }

    void aCompletedRunIsAskedForMoreOfWhatEndedIt()
    {
        QFETCH(int, limit);
        QFETCH(int, length);
        QFETCH(QString, says);
        RunRecord run = recordOf(1);
        run.trainSamples = 1280;
        run.experiment.run.epochs = 5;
        run.experiment.run.limitSteps = limit;
        QCOMPARE(lengthOf(run), std::int64_t { length });
        QVERIFY2(howLongText(run).contains(says), qPrintable(howLongText(run)));
    }

    void batchNumbersAreThoseThatTookEffect()
    {
        RunRecord run = recordOf(1);
        run.experiment.batch.effective = BatchNumber::solved();
        run.experiment.optimizer.lr = 0.04;
        run.plan = { .effective = 96, .micro = 24, .steps = 5, .devices = 2 };
        QCOMPARE(settingOf(run, "batch.devices"), QStringLiteral("2"));
        QCOMPARE(settingOf(run, "batch.steps"), QStringLiteral("5"));
        QCOMPARE(settingOf(run, "batch.micro"), QStringLiteral("24"));
        QCOMPARE(settingOf(run, "batch.effective"), QStringLiteral("96"));
        QCOMPARE(settingOf(run, "optimizer.lr"), QStringLiteral("0.04"));
        QCOMPARE(settingOf(run, "no.key"), QString());
        QCOMPARE(settledSettings(run).size(), settingsOf(run.experiment).size());
    }

    void everyMetricHasWordsOfItsOwn()
    {
        std::set<QString> titles;
        for (const MetricInfo& metric : metrics()) {
            const QString title = metricTitle(metric.name);
            QVERIFY2(title != QString::fromStdString(metric.name), metric.name.c_str());
            titles.insert(title);
        }
        QCOMPARE(titles.size(), metrics().size());
        QCOMPARE(metricTitle("from_a_later_version"), QStringLiteral("from_a_later_version"));
    }

    void aValueHasTheUnitOfItsMetric_data()
    {
        QTest::addColumn<QByteArray>("metric");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("loss") << QByteArray("loss") << 2.302585 << QStringLiteral("2.303");
        QTest::newRow("share") << QByteArray("test_accuracy") << 0.9871
                               << QStringLiteral("98.71 %");
        QTest::newRow("bytes") << QByteArray("peak_bytes") << double(212 << 20)
                               << QStringLiteral("212 MiB");
        QTest::newRow("time") << QByteArray("step_ms") << 12.345 << QStringLiteral("12.3 ms");
        QTest::newRow("rate") << QByteArray("throughput") << 512.0 << QStringLiteral("512 img/s");
        QTest::newRow("not finite") << QByteArray("peak_bytes") << nan << QStringLiteral("nan");
        QTest::newRow("unknown") << QByteArray("later") << 0.5 << QStringLiteral("0.5");
    }

    void aValueHasTheUnitOfItsMetric()
    {
        QFETCH(QByteArray, metric);
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(metricText(metric.toStdString(), value), text);
    }

    void everyAxisHasATitleAndItsOwnNumbers()
    {
        std::set<QString> titles;
        for (const Axis axis :
            { Axis::Step, Axis::Samples, Axis::MicroBatches, Axis::Epoch, Axis::Seconds })
            titles.insert(axisTitle(axis));
        QCOMPARE(titles.size(), std::size_t { 5 });
        QVERIFY(titles.count(QString()) == 0);
        QCOMPARE(axisText(Axis::Step, 4690), QStringLiteral(u"4\u202f690"));
        QCOMPARE(axisText(Axis::Seconds, 41), QStringLiteral("0:41"));
        QCOMPARE(axisText(Axis::Epoch, 2.5), QStringLiteral("2.5"));
        QCOMPARE(axisText(Axis::Step, 2.5), QStringLiteral("2.5")); // between two ticks
    }
};

QTEST_GUILESS_MAIN(TestRunWords)
#include "tst_run_words.moc"
