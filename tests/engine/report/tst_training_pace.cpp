// SPDX-License-Identifier: Apache-2.0
#include "engine/report/training_pace.h"

#include <QTest>

using namespace accrue;

class TestTrainingPace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastTenSecondsCount()
    {
        TrainingPace pace;
        for (int step = 1; step <= 10; ++step) // 10 s each: a device that warms up
            pace.add(10.0 * step, step, 128 * step);
        for (int step = 11; step <= 310; ++step) // 0.1 s each
            pace.add(100 + 0.1 * (step - 10), step, 128 * step);
        QVERIFY(qAbs(pace.samplesPerSecond() - 1280) < 1);
        QVERIFY(qAbs(pace.secondsLeft(410).value() - 10) < 0.1);
        QCOMPARE(pace.secondsLeft(310), std::optional(0.0));
        QCOMPARE(pace.secondsLeft(300), std::optional(0.0)); // it was made shorter
    }

    void nothingIsKnownBeforeTheSecondStep()
    {
        TrainingPace pace;
        QVERIFY(!pace.secondsLeft(100));
        pace.add(1, 1, 128);
        QVERIFY(!pace.secondsLeft(100));
        QCOMPARE(pace.samplesPerSecond(), 0.0);
    }

    void aRunThatIsMetInItsMiddleHasItsMeanAtFirst()
    {
        TrainingPace pace = TrainingPace::ofWholeRun();
        pace.add(0, 0, 0);
        QVERIFY(!pace.secondsLeft(100));
        pace.add(100, 50, 50 * 128); // 2 s a step
        QCOMPARE(pace.secondsLeft(100), std::optional(100.0));
        for (int step = 51; step <= 80; ++step) // now 0.5 s a step
            pace.add(100 + 0.5 * (step - 50), step, 128 * step);
        QCOMPARE(pace.secondsLeft(100), std::optional(10.0));
    }

    void aRunThatIsResumedFromAnEarlierStepBeginsAnew()
    {
        TrainingPace pace;
        pace.add(1, 10, 1280);
        pace.add(2, 20, 2560);
        pace.add(1.5, 15, 1920);
        QVERIFY(!pace.secondsLeft(100));
        pace.add(3.5, 16, 2048);
        QCOMPARE(pace.secondsLeft(17), std::optional(2.0));
    }
};

QTEST_GUILESS_MAIN(TestTrainingPace)
#include "tst_training_pace.moc"
