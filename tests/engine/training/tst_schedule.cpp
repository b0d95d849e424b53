// SPDX-License-Identifier: Apache-2.0
#include "engine/training/schedule.h"

#include <cmath>

#include <QTest>

#include "tests/engine/training/training_fixture.h"

using namespace accrue;

class TestSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rateFollowsTheAccumulationSteps()
    {
        QCOMPARE(rateFactor(LrRule::None, 8, 2), 1.0);
        QCOMPARE(rateFactor(LrRule::Linear, 8, 2), 4.0);
        QCOMPARE(rateFactor(LrRule::SquareRoot, 8, 2), 2.0);
        QCOMPARE(rateFactor(LrRule::SquareRoot, 1, 4), 0.5);
    }

    void ratesEqualThoseOfPython_data()
    {
        QTest::addColumn<bool>("cosine");
        QTest::addColumn<int>("warmup");
        QTest::addColumn<double>("finalFactor");
        QTest::newRow("cosine") << true << 0 << 0.0;
        QTest::newRow("cosine warm-up") << true << 5 << 0.1;
        QTest::newRow("constant warm-up") << false << 5 << 0.0;
    }

    void ratesEqualThoseOfPython()
    {
        QFETCH(bool, cosine);
        QFETCH(int, warmup);
        QFETCH(double, finalFactor);
        const auto& expected = test::references()["schedules"][QTest::currentDataTag()];
        const Schedule schedule { .name = cosine ? ScheduleName::Cosine : ScheduleName::Constant,
            .baseRate = 0.4,
            .finalFactor = finalFactor,
            .warmupSteps = warmup,
            .totalSteps = 20 };
        QCOMPARE(expected.size(), std::size_t { 20 });
        for (std::int64_t step = 1; step <= 20; ++step) {
            const double known = expected[static_cast<std::size_t>(step - 1)];
            QVERIFY(std::abs(schedule.rateOf(step) - known) < 1e-12);
        }
    }

    void warmUpEpochsAreAddedToWarmUpSteps()
    {
        Experiment experiment;
        experiment.schedule.warmupSteps = 3;
        experiment.schedule.warmupEpochs = 2;
        QCOMPARE(scheduleOf(experiment, /*windowsPerEpoch=*/10, /*totalSteps=*/50).warmupSteps, 23);
    }

    void warmUpAsLongAsTheRunStaysFinite()
    {
        const Schedule schedule { .name = ScheduleName::Cosine,
            .baseRate = 1,
            .finalFactor = 0,
            .warmupSteps = 4,
            .totalSteps = 4 };
        QCOMPARE(schedule.rateOf(2), 0.5);
        QCOMPARE(schedule.rateOf(4), 1.0);
        QVERIFY(std::isfinite(schedule.rateOf(5)));
    }
};

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
