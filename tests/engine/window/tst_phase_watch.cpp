// SPDX-License-Identifier: Apache-2.0
#include "engine/window/phase_watch.h"

#include <thread>

#include <QTest>

#include "engine/memory/memory_meter.h"
#include "engine/session/training_clock.h"

using namespace accrue;
using namespace std::chrono_literals;

class TestPhaseWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsAddUpAndPausesDoNotCount()
    {
        RunControl control;
        PhaseWatch watch(at::kCPU, control);
        watch.beginWindow(2);
        watch.enterSlice(1, /*samples=*/8);
        watch.enter(Phase::Forward);
        std::this_thread::sleep_for(20ms);
        watch.enter(Phase::Paused);
        std::this_thread::sleep_for(50ms);
        watch.enterSlice(2, /*samples=*/8);
        watch.enter(Phase::Optimizer);
        watch.endWindow();
        const PartTimes times = watch.read();
        QVERIFY(times.forwardMs >= 20 && times.stepMs >= times.forwardMs);
        QVERIFY(times.stepMs < times.forwardMs + 40); // without the pause
    }

    void whatOpensTheWindowCountsInNoPart()
    {
        RunControl control;
        PhaseWatch watch(at::kCPU, control);
        watch.beginWindow(1);
        std::this_thread::sleep_for(20ms); // gradients are zeroed
        watch.enterSlice(1, /*samples=*/8);
        watch.enter(Phase::Optimizer);
        watch.endWindow();
        const PartTimes times = watch.read();
        const double parts = times.dataMs + times.forwardMs + times.backwardMs + times.optimizerMs;
        QVERIFY(times.stepMs - parts >= 20);
    }

    // As a run that was stopped in the middle of a window and is resumed.
    void aPauseAfterTheOpeningDoesNotCount()
    {
        RunControl control;
        PhaseWatch watch(at::kCPU, control);
        watch.beginWindow(1);
        watch.enter(Phase::Paused);
        std::this_thread::sleep_for(50ms);
        watch.enterSlice(1, /*samples=*/8);
        watch.endWindow();
        const PartTimes times = watch.read();
        QVERIFY(times.stepMs < 40);
    }

    void tellsTheMicroBatchItIsIn()
    {
        RunControl control;
        PhaseWatch watch(at::kCPU, control);
        watch.beginWindow(4);
        watch.enterSlice(3, /*samples=*/8);
        watch.enter(Phase::Backward);
        const Progress progress = control.progress();
        QVERIFY(progress.phase == Phase::Backward);
        QCOMPARE(progress.microBatch, 3U);
        QCOMPARE(progress.ofMicroBatches, 4U);
        watch.show(Phase::Evaluation);
        QVERIFY(control.progress().phase == Phase::Evaluation);
    }

    void theMemoryMeterHearsThePhases()
    {
        RunControl control;
        MemoryMeter meter(at::kCPU, Metering::Full);
        PhaseWatch watch(at::kCPU, control, &meter);
        meter.beginWindow(8, 8);
        watch.beginWindow(2);
        watch.enterSlice(1, /*samples=*/8);
        watch.enter(Phase::Forward);
        watch.enter(Phase::Paused); // no phase of memory
        watch.enterSlice(2, /*samples=*/5);
        watch.enter(Phase::Optimizer);
        watch.endWindow();
        const std::vector<PhaseMemory> phases = meter.endWindow();
        QCOMPARE(phases.size(), std::size_t { 4 });
        QVERIFY(phases[1].phase == MemoryPhase::Forward);
        QCOMPARE(phases[2].microBatch, 2);
        QCOMPARE(phases[2].samples, 5);
        QCOMPARE(phases[3].microBatch, 0);
        QCOMPARE(phases[3].samples, 13);
    }

    void windowsAreReadInTheirOrder()
    {
        RunControl control;
        PhaseWatch watch(at::kCPU, control);
        for (const auto length : { 1ms, 15ms }) {
            watch.beginWindow(1);
            watch.enterSlice(1, /*samples=*/8);
            std::this_thread::sleep_for(length);
            watch.endWindow();
        }
        const double first = watch.read().stepMs;
        QVERIFY(first >= 1);
        QVERIFY(watch.read().stepMs >= 15);
    }

    void abandonedWindowIsForgotten()
    {
        RunControl control;
        PhaseWatch watch(at::kCPU, control);
        watch.beginWindow(1);
        watch.enterSlice(1, /*samples=*/8);
        watch.abandonWindow();
        watch.beginWindow(1);
        watch.enter(Phase::Optimizer);
        watch.endWindow();
        const PartTimes times = watch.read();
        QCOMPARE(times.dataMs, 0.0);
        QVERIFY(times.stepMs >= times.optimizerMs);
    }

    void trainingTimeStandsStillWhilePaused()
    {
        TrainingClock clock;
        QCOMPARE(clock.seconds(), 0.0);
        clock.start();
        clock.pause();
        const double at = clock.seconds();
        std::this_thread::sleep_for(10ms);
        QCOMPARE(clock.seconds(), at);
        clock.resume();
        QVERIFY(clock.seconds() - at < 0.01);
    }
};

QTEST_GUILESS_MAIN(TestPhaseWatch)
#include "tst_phase_watch.moc"
