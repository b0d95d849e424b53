// SPDX-License-Identifier: Apache-2.0
#include "ui/models/saw_tooth.h"

#include "tests/support/fake_memory.h"

#include <QTest>

#include <numeric>

using namespace accrue;

namespace {

std::int64_t sumOf(const CategoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t { 0 });
}

MemoryMeasured windowOf(const std::vector<std::int64_t>& slices)
{
    return { .step = 1, .phases = fakeWindowMemory(slices, 1000, /*everyMicroBatch=*/true) };
}

} // namespace

class TestSawTooth : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPointIsWhatWasMeasured()
    {
        const MemoryMeasured window = windowOf({ 32, 32, 16 });
        const SawTooth curve = sawToothOf(window);
        QCOMPARE(curve.size(), 3 * window.phases.size());
        for (std::size_t i = 0; i < window.phases.size(); ++i) {
            const PhaseMemory& phase = window.phases[i];
            QCOMPARE(sumOf(curve[3 * i].bytes), phase.beginBytes);
            QVERIFY(curve[3 * i + 1].bytes == phase.atPeak);
            QVERIFY(curve[3 * i + 2].bytes == phase.atEnd);
            QCOMPARE(curve[3 * i].x, static_cast<double>(i));
            QCOMPARE(curve[3 * i + 2].x, static_cast<double>(i + 1));
        }
    }

    void aWindowOfFewMicroBatchesIsShownWhole()
    {
        const MemoryMeasured window = windowOf({ 32, 32, 16 });
        const WindowExcerpt excerpt = excerptOf(window, 3);
        QCOMPARE(excerpt.window.phases.size(), window.phases.size());
        QCOMPARE(excerpt.microBatches, 3);
        QCOMPARE(excerpt.drawn, 3);
    }

    void ofManyThoseThatAreAlikeAreShownOnce()
    {
        std::vector<std::int64_t> slices(2000, 8);
        slices.push_back(4);
        const WindowExcerpt excerpt = excerptOf(windowOf(slices), 24);
        QCOMPARE(excerpt.microBatches, 2001);
        QCOMPARE(excerpt.drawn, 2);
        QVERIFY(!excerpt.cut);
        QCOMPARE(excerpt.window.phases.size(), std::size_t { 2 * 3 + 1 }); // with the step
        QCOMPARE(excerpt.window.phases[3].microBatch, 2001);
    }

    void ofManyThatDifferTheFirstAreShown()
    {
        std::vector<std::int64_t> slices(100);
        std::iota(slices.begin(), slices.end(), 1);
        const WindowExcerpt excerpt = excerptOf(windowOf(slices), 24);
        QCOMPARE(excerpt.drawn, 24);
        QVERIFY(excerpt.cut);
        QCOMPARE(excerpt.window.phases.size(), std::size_t { 24 * 3 + 1 });
        QCOMPARE(excerpt.window.phases.back().phase, MemoryPhase::Optimizer);
    }

    void aPhaseBeginsWithWhatTheOneBeforeEndedWith()
    {
        const SawTooth curve = sawToothOf(windowOf({ 32, 32 }));
        for (std::size_t i = 3; i < curve.size(); i += 3)
            QVERIFY(curve[i].bytes == curve[i - 1].bytes);
    }

    // The begin of a phase may belong to another micro-batch: only its sum is known.
    void aPhaseThatDoesNotFollowKeepsItsSum()
    {
        MemoryMeasured window = windowOf({ 32, 16 });
        std::swap(window.phases[2], window.phases[5]); // backward of the other micro-batch
        for (const std::int64_t begin : { std::int64_t { 0 }, std::int64_t { 1 } << 40 }) {
            window.phases[0].beginBytes = begin;
            const SawTooth curve = sawToothOf(window);
            for (std::size_t i = 0; i < window.phases.size(); ++i)
                QCOMPARE(sumOf(curve[3 * i].bytes), window.phases[i].beginBytes);
            for (const SawToothPoint& point : curve)
                for (const std::int64_t bytes : point.bytes)
                    QVERIFY(bytes >= 0);
        }
    }

    void noPhasesAreNoPoints() { QVERIFY(sawToothOf({}).empty()); }
};

QTEST_GUILESS_MAIN(TestSawTooth)
#include "tst_saw_tooth.moc"
