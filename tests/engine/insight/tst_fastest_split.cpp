// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/fastest_split.h"

#include <QTest>

#include "engine/experiment/recipe.h"
#include "tests/support/memory_fits.h"

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr std::int64_t kPlenty = std::int64_t { 1 } << 40;

BatchPlan planOf(std::int64_t effective, std::int64_t micro)
{
    return cutInto({ .effective = effective, .micro = effective, .steps = 1 }, micro);
}

// 1,000 bytes a sample.
MemoryFit timed(std::vector<MicroSpeed> speeds)
{
    MemoryFit fit = fitOfSamples(1000);
    fit.speeds = std::move(speeds);
    fit.speedThreads = 1;
    return fit;
}

bool isNear(double value, double expected)
{
    return std::abs(value - expected) < 1e-9 * expected;
}

} // namespace

// The choice by given speeds: nothing is timed here.
class TestFastestSplit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFastestMicroBatchIsNamedWithItsSteps()
    {
        const MemoryFit fit = timed({ { 32, 4000, 10 }, { 64, 5000, 10 }, { 128, 4500, 10 } });
        const auto fastest = fastestSplit(fit, planOf(512, 32), kPlenty);
        QCOMPARE(fastest->split.micro, 64);
        QCOMPARE(fastest->split.steps, 8);
        QVERIFY(isNear(fastest->split.samplesPerSecond, 5000));
        QVERIFY(isNear(fastest->split.spread, 10));
        QVERIFY(!fastest->isTied);
    }

    void whatDoesNotFitIsNotNamed()
    {
        const MemoryFit fit = timed({ { 32, 4000, 10 }, { 64, 5000, 10 }, { 128, 6000, 10 } });
        QCOMPARE(fastestSplit(fit, planOf(512, 32), 100'000)->split.micro, 64);
        QCOMPARE(fastestSplit(fit, planOf(512, 32), 63'000)->split.micro, 32);
        QVERIFY(!fastestSplit(fit, planOf(512, 32), 31'000));
    }

    // Thereof a window has no more than B.
    void microBatchesLargerThanTheWindowAreNotNamed()
    {
        const MemoryFit fit = timed({ { 32, 4000, 10 }, { 64, 5000, 10 }, { 128, 6000, 10 } });
        QCOMPARE(fastestSplit(fit, planOf(100, 25), kPlenty)->split.micro, 64);
        QVERIFY(!fastestSplit(fit, planOf(16, 16), kPlenty));
    }

    // 100 = 64 + 36: the rest takes 1/8 of the way from 32 to 64 longer than 32 samples.
    void aSmallerLastMicroBatchTakesItsTimeToo()
    {
        const MemoryFit fit = timed({ { 32, 3200, 10 }, { 64, 6400, 64 } });
        const auto split = speedOfSplit(fit, planOf(100, 25), 64);
        QCOMPARE(split->steps, 2);
        QVERIFY(isNear(split->samplesPerSecond, 100 / (0.01 + 0.01)));
        QVERIFY(isNear(split->spread / split->samplesPerSecond, 0.01));
        // 32 + 32 + 32 + 4, of which the last takes as long as the fewest that were timed
        QVERIFY(isNear(speedOfSplit(fit, planOf(100, 25), 32)->samplesPerSecond, 100 / 0.04));
    }

    void whatDiffersByLessThanItVariesIsEquallyFast_data()
    {
        QTest::addColumn<qlonglong>("own"); // micro-batch of the recipe
        QTest::addColumn<qlonglong>("named");
        QTest::newRow("the recipe's stays") << 128LL << 128LL;
        QTest::newRow("otherwise the least memory") << 512LL << 64LL;
        QTest::newRow("a slower one of the recipe does not") << 32LL << 64LL;
    }
    void whatDiffersByLessThanItVariesIsEquallyFast()
    {
        QFETCH(qlonglong, own);
        QFETCH(qlonglong, named);
        const MemoryFit fit =
            timed({ { 32, 4000, 50 }, { 64, 5950, 50 }, { 128, 5960, 50 }, { 256, 6000, 50 } });
        const auto fastest = fastestSplit(fit, planOf(512, own), kPlenty);
        QCOMPARE(fastest->split.micro, named);
        QVERIFY(fastest->isTied);
    }

    void withoutSpeedsNoneIsNamed()
    {
        QVERIFY(!fastestSplit(timed({}), planOf(512, 32), kPlenty));
        QVERIFY(!speedOfSplit(timed({ { 32, 4000, 10 } }), planOf(512, 32), 48));
    }

    void aScheduleOfStepsHasNoOneEffectiveBatch()
    {
        BatchPlan plan = planOf(512, 32);
        plan.schedule = { { StepsFrom::Unit::Epoch, 0, 2 }, { StepsFrom::Unit::Epoch, 3, 4 } };
        QVERIFY(!fastestSplit(timed({ { 32, 4000, 10 } }), plan, kPlenty));
    }

    // A window of 3 in micro-batches of 2 leaves one sample, which is too few for the norm.
    void aSplitThatTheNormRefusesIsNotNamed()
    {
        BatchPlan plan = planOf(3, 3);
        plan.smallestSlice = 2;
        const MemoryFit fit = timed({ { 2, 4000, 10 }, { 3, 3000, 10 } });
        QCOMPARE(fastestSplit(fit, plan, kPlenty)->split.micro, 3);
    }
};

QTEST_GUILESS_MAIN(TestFastestSplit)
#include "tst_fastest_split.moc"
