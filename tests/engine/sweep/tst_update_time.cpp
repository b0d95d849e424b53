// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/update_time.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace accrue;

namespace {

BatchPlan planOf(std::int64_t micro, std::int64_t steps)
{
    return { .effective = micro * steps, .micro = micro, .steps = steps };
}

TimedUpdates timed(std::int64_t micro, std::int64_t steps, double seconds)
{
    return { micro, steps, micro * steps, seconds };
}

const std::vector<TimedUpdates> kMeasured { timed(8, 16, 0.213), timed(16, 8, 0.171),
    timed(32, 4, 0.1533), timed(32, 8, 0.302), timed(64, 4, 0.279), timed(8, 4, 0.0561),
    timed(16, 16, 0.333) };

bool isNear(double value, double expected)
{
    return std::abs(value - expected) <= 1e-9 * expected;
}

} // namespace

class TestUpdateTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsOfTheSamePlanGiveTheirMean()
    {
        const std::vector<TimedUpdates> runs { timed(32, 4, 0.5), timed(32, 4, 0.52),
            timed(32, 4, 0.49), timed(32, 4, 0.53), timed(16, 4, 9) };
        const auto time = predictUpdateTime(runs, planOf(32, 4));
        // numpy and scipy.stats.t
        QVERIFY(isNear(time->seconds, 0.51));
        QVERIFY(isNear(*time->low, 0.4450385868187444));
        QVERIFY(isNear(*time->high, 0.5749614131812556));
    }

    void oneRunHasNoInterval()
    {
        const auto time = predictUpdateTime({ timed(32, 4, 0.5) }, planOf(32, 4));
        QCOMPARE(time->seconds, 0.5);
        QVERIFY(!time->low && !time->high);
    }

    // numpy's solution of the weighted normal equations, with scipy.stats.t for the interval
    void otherPlansGiveARegression()
    {
        const auto time = predictUpdateTime(kMeasured, planOf(24, 4));
        QVERIFY(isNear(time->seconds, 0.12013349618960203));
        QVERIFY(isNear(*time->low, 0.11572177811801838));
        QVERIFY(isNear(*time->high, 0.12454521426118569));
    }

    void timesThatFollowTheModelAreFoundExactly()
    {
        std::vector<TimedUpdates> runs;
        for (const auto& [micro, steps] : std::vector<std::pair<int, int>> {
                 { 8, 2 }, { 8, 4 }, { 16, 4 }, { 64, 1 }, { 32, 8 } })
            runs.push_back(timed(micro, steps, 0.01 + 0.002 * steps + 0.0005 * micro * steps));
        const auto time = predictUpdateTime(runs, planOf(20, 3));
        QVERIFY(isNear(time->seconds, 0.01 + 0.002 * 3 + 0.0005 * 60));
    }

    void whatTheRunsDoNotShowIsUnknown_data()
    {
        QTest::addColumn<int>("runs");
        QTest::addColumn<int>("micro");
        QTest::addColumn<int>("steps");
        QTest::newRow("no run") << 0 << 32 << 4;
        QTest::newRow("too few") << 4 << 24 << 4;
        QTest::newRow("a larger b") << 7 << 65 << 4;
        QTest::newRow("a smaller b") << 7 << 7 << 4;
        QTest::newRow("more steps") << 7 << 8 << 17;
    }
    void whatTheRunsDoNotShowIsUnknown()
    {
        QFETCH(int, runs);
        QFETCH(int, micro);
        QFETCH(int, steps);
        const std::vector<TimedUpdates> measured(kMeasured.begin(), kMeasured.begin() + runs);
        QVERIFY(!predictUpdateTime(measured, planOf(micro, steps)));
    }

    // With one b, N and B are proportional.
    void runsThatDoNotDetermineTheModelAreNoAnswer()
    {
        std::vector<TimedUpdates> runs;
        for (int steps = 1; steps < 8; steps += 1)
            runs.push_back(timed(32, steps * 2, 0.1 * steps));
        QVERIFY(!predictUpdateTime(runs, planOf(32, 3)));
    }

    void impossibleTimesAreLeftOut()
    {
        std::vector<TimedUpdates> runs = kMeasured;
        for (const double seconds :
            { 0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity() })
            runs.push_back(timed(24, 4, seconds));
        QVERIFY(isNear(predictUpdateTime(runs, planOf(24, 4))->seconds, 0.12013349618960203));
    }
};

QTEST_GUILESS_MAIN(TestUpdateTime)
#include "tst_update_time.moc"
