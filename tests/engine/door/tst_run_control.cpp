// SPDX-License-Identifier: Apache-2.0
#include "engine/door/run_control.h"

#include <future>
#include <limits>
#include <thread>

#include <QtTest>

namespace accrue {
namespace {

using namespace std::chrono_literals;

std::future<void> waiting(RunControl& control)
{
    return std::async(std::launch::async, [&control] { control.waitWhilePaused(); });
}

} // namespace

class TestRunControl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNewControlAsksForNothing();
    void waitingEndsAtOnceWhereNothingIsPaused();
    void resumingEndsAPause();
    void stoppingEndsAPause();
    void aLimitEndsTheWaitAndNotThePause();
    void manyPausesAndResumesLoseNoWakeUp();
    void aLearningRateMustBePositiveAndFinite_data();
    void aLearningRateMustBePositiveAndFinite();
    void aLearningRateIsTakenOnceAndTheNewestCounts();
    void progressComesBackWhole_data();
    void progressComesBackWhole();
    void progressIsNeverTornBetweenThreads();
    void progressOfRanksThatShareMemoryIsKnownToAll();
};

void TestRunControl::aNewControlAsksForNothing()
{
    const RunControl control;
    QVERIFY(!control.stopRequested());
    QVERIFY(!control.pauseRequested());
    QVERIFY(!control.learningRateStep());
    QVERIFY(control.progress().phase == Phase::Idle);
}

void TestRunControl::waitingEndsAtOnceWhereNothingIsPaused()
{
    RunControl control;
    QVERIFY(waiting(control).wait_for(10s) == std::future_status::ready);
}

void TestRunControl::resumingEndsAPause()
{
    RunControl control;
    control.pause();
    auto session = waiting(control);
    QVERIFY(session.wait_for(20ms) == std::future_status::timeout);
    control.resume();
    QVERIFY(session.wait_for(10s) == std::future_status::ready);
    QVERIFY(!control.pauseRequested());
    QVERIFY(!control.stopRequested());
}

void TestRunControl::stoppingEndsAPause()
{
    RunControl control;
    control.pause();
    auto session = waiting(control);
    control.requestStop();
    QVERIFY(session.wait_for(10s) == std::future_status::ready);
    QVERIFY(control.stopRequested());
    control.pause(); // too late
    QVERIFY(waiting(control).wait_for(10s) == std::future_status::ready);
}

void TestRunControl::aLimitEndsTheWaitAndNotThePause()
{
    RunControl control;
    control.pause();
    control.waitWhilePaused(5ms);
    QVERIFY(control.pauseRequested());
}

void TestRunControl::manyPausesAndResumesLoseNoWakeUp()
{
    RunControl control;
    auto session = std::async(std::launch::async, [&control] {
        while (!control.stopRequested())
            control.waitWhilePaused();
    });
    for (int i = 0; i < 20'000; ++i) {
        control.pause();
        control.resume();
    }
    control.pause();
    control.requestStop();
    QVERIFY(session.wait_for(10s) == std::future_status::ready);
}

void TestRunControl::aLearningRateMustBePositiveAndFinite_data()
{
    QTest::addColumn<double>("rate");
    QTest::addColumn<double>("kept");
    QTest::newRow("half") << 0.5 << 0.5;
    QTest::newRow("tiny") << 1e-300 << 1e-300;
    QTest::newRow("zero") << 0.0 << 3.0;
    QTest::newRow("negative") << -1.0 << 3.0;
    QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << 3.0;
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << 3.0;
}

void TestRunControl::aLearningRateMustBePositiveAndFinite()
{
    QFETCH(double, rate);
    QFETCH(double, kept);
    RunControl control;
    control.setLearningRate(3.0);
    control.setLearningRate(rate);
    QVERIFY(control.takeLearningRate(1) == kept);
}

void TestRunControl::aLearningRateIsTakenOnceAndTheNewestCounts()
{
    RunControl control;
    QVERIFY(!control.takeLearningRate(1));
    QVERIFY(!control.learningRateStep());
    control.setLearningRate(0.5);
    control.setLearningRate(0.25);
    QVERIFY(!control.learningRateStep()); // it waits for an update
    QVERIFY(control.takeLearningRate(2) == 0.25);
    QVERIFY(!control.takeLearningRate(3));
    QVERIFY(control.learningRateStep() == 2);
    control.setLearningRate(0.25);
    QVERIFY(!control.learningRateStep());
    QVERIFY(control.takeLearningRate(4) == 0.25);
    QVERIFY(control.learningRateStep() == 4);
}

void TestRunControl::progressComesBackWhole_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<quint32>("microBatch");
    QTest::addColumn<quint32>("of");
    QTest::addColumn<quint32>("largest");
    QTest::newRow("idle") << int(Phase::Idle) << 0U << 0U << 0U;
    QTest::newRow("backward") << int(Phase::Backward) << 3U << 4U << 4U;
    QTest::newRow("paused") << int(Phase::Paused) << 268'435'455U << 268'435'455U << 268'435'455U;
    QTest::newRow("beyond 28 bits")
        << int(Phase::Data) << 0xffffffffU << 0xffffffffU << 268'435'455U;
}

void TestRunControl::progressComesBackWhole()
{
    QFETCH(int, phase);
    QFETCH(quint32, microBatch);
    QFETCH(quint32, of);
    QFETCH(quint32, largest);
    RunControl control;
    control.setProgress({ static_cast<Phase>(phase), microBatch, of });
    const Progress progress = control.progress();
    QCOMPARE(static_cast<int>(progress.phase), phase);
    QCOMPARE(progress.microBatch, std::min(microBatch, largest));
    QCOMPARE(progress.ofMicroBatches, largest);
}

void TestRunControl::progressIsNeverTornBetweenThreads()
{
    RunControl control;
    std::thread session([&control] {
        for (std::uint32_t i = 1; i <= 200'000; ++i)
            control.setProgress({ i % 2 == 0 ? Phase::Forward : Phase::Backward, i, i });
        control.requestStop();
    });
    bool whole = true;
    while (!control.stopRequested()) {
        const Progress seen = control.progress();
        const Phase expected = seen.microBatch == 0 ? Phase::Idle
            : seen.microBatch % 2 == 0              ? Phase::Forward
                                                    : Phase::Backward;
        whole = whole && seen.microBatch == seen.ofMicroBatches && seen.phase == expected;
    }
    session.join();
    QVERIFY(whole);
}

void TestRunControl::progressOfRanksThatShareMemoryIsKnownToAll()
{
    RunControl first;
    RunControl second;
    QVERIFY(first.progressOfRanks().empty()); // a run of one process
    first.setProgress({ Phase::Preparing, 0, 0 });
    {
        const std::shared_ptr<ProgressWord[]> words(new ProgressWord[2]);
        first.shareProgress(words, 0, 2);
        second.shareProgress(words, 1, 2);
    }
    second.setProgress({ Phase::Backward, 3, 4 });
    const std::vector<Progress> expected { { Phase::Preparing, 0, 0 }, { Phase::Backward, 3, 4 } };
    QCOMPARE(first.progressOfRanks(), expected);
    QCOMPARE(second.progressOfRanks(), expected);
    QCOMPARE(second.progress(), expected[1]);
}

} // namespace accrue

QTEST_GUILESS_MAIN(accrue::TestRunControl)
#include "tst_run_control.moc"
