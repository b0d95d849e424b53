// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/micro_timing.h"

#include <QTest>

#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

// How long anything takes is not tested: only what is made of times, and that they are taken.
class TestMicroTiming : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSpeedIsThatOfTheMiddleTime()
    {
        QCOMPARE(speedOfTimes(32, { 10, 1000, 16 }).samplesPerSecond, 2000.0);
        QCOMPARE(speedOfTimes(32, { 10, 14, 18, 1000 }).samplesPerSecond, 2000.0);
    }

    void theSpreadIsThatOfTheMiddleHalf()
    {
        QCOMPARE(speedOfTimes(32, { 16, 16, 16 }).spread, 0.0);
        QCOMPARE(speedOfTimes(32, { 1, 8, 10, 16, 1000 }).spread, (4000.0 - 2000.0) / 2);
        QCOMPARE(speedOfTimes(32, { 16 }).spread, 0.0);
    }

    void aClockThatDoesNotMoveGivesANumber()
    {
        QVERIFY(std::isfinite(speedOfTimes(32, { 0, 0, 0 }).samplesPerSecond));
    }

    void someMicroBatchesAreTimed()
    {
        Experiment experiment;
        experiment.run.device = "cpu";
        RunControl control;
        const FitRequest request { experiment, {} };
        WindowProbe probe(request, at::kCPU, control, ProbeFor::Speed);
        MicroTimes times { .micro = 16 };
        for (std::size_t round = 1; round <= kTimingRounds; ++round) {
            QVERIFY(timeRound(probe, times));
            QVERIFY(times.milliseconds.size() >= round && times.milliseconds.size() <= 5 * round);
        }
        QVERIFY(times.samples > static_cast<std::int64_t>(times.milliseconds.size()) * 16);
        QVERIFY(times.milliseconds.front() > 0);
        QVERIFY(probe.computeWindow(16)->empty()); // nothing is looked at
        control.requestStop();
        QVERIFY(!timeRound(probe, times));
    }
};

QTEST_GUILESS_MAIN(TestMicroTiming)
#include "tst_micro_timing.moc"
