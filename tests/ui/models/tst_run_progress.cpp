// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_progress.h"

#include <QTest>

#include "engine/base/format.h"
#include "tests/ui/models/run_records.h"

using namespace accrue;

class TestRunProgress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunThatEpochsEndCountsEpochs()
    {
        QCOMPARE(shown(twoEpochs()), QStringLiteral("epoch 2 of 10"));
        RunRecord none = twoEpochs();
        none.epoch = 0;
        QVERIFY(shown(none).startsWith(QLatin1String("loss"))); // nothing of how far it is
    }

    void aRunThatStepsEndCountsSteps()
    {
        RunRecord run = twoEpochs();
        run.experiment.run.limitSteps = 400;
        run.totalSteps = 400;
        QCOMPARE(shown(run), QStringLiteral("step 100 of 400"));
        run.totalSteps = 0; // its data is being read
        QCOMPARE(shown(run), QStringLiteral("epoch 2 of 10"));
    }

    void theRateIsThatOfTheLastTenSeconds()
    {
        RunRecord run = twoEpochs();
        run.throughput = 1000; // of the whole run
        TrainingPace pace = TrainingPace::ofWholeRun();
        QVERIFY(progressOf(run, pace).rate.isEmpty()); // no step was read yet
        pace.add(10, 100, 10'000);
        QCOMPARE(progressOf(run, pace).rate, QString::fromStdString(formatRate(1000)));
        for (int second = 1; second <= 20; ++second) // it has become four times as fast
            pace.add(10 + second, 100 + 40 * second, 10'000 + 4000 * second);
        QCOMPARE(progressOf(run, pace).rate, QString::fromStdString(formatRate(4000)));
    }

private:
    static RunRecord twoEpochs()
    {
        RunRecord run = recordOf(1);
        run.epoch = 2;
        run.bestTestAccuracy.reset();
        return run;
    }

    static QString shown(const RunRecord& run)
    {
        return summaryText(run).section(QStringLiteral(" · "), 0, 0);
    }
};

QTEST_GUILESS_MAIN(TestRunProgress)
#include "tst_run_progress.moc"
