// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/memory_fit.h"

#include <QTest>

#include "tests/support/memory_fits.h"

using namespace accrue;
using namespace accrue::test;

// What is reported about a fit without measuring.
class TestDoorMemoryFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void beyondWhatWasMeasuredAMarginIsIncluded()
    {
        const MemoryFit fit = fitOfSamples(1000); // measured from b = 1 to 3
        QCOMPARE(predictedBytes(fit, 3), 3000);
        QCOMPARE(predictedBytes(fit, 100), 102'000);
        QCOMPARE(largestMicro(fit, 101'999), 99);
        QCOMPARE(largestMicro(fit, 102'000), 100);
        QCOMPARE(largestMicro(fit, 4010), 3); // 4 would, without it
    }

    void whatIsPredictedAndTheLargestThatFitsAgree()
    {
        MemoryFit fit = fitOfSamples(1013);
        fit.outsideBytes = 12'345;
        for (std::int64_t card = 13'400; card < 400'000; card += 97) {
            const std::int64_t largest = largestMicro(fit, card);
            QVERIFY(predictedBytes(fit, largest) <= card);
            QVERIFY(predictedBytes(fit, largest + 1) > card);
        }
    }

    void noMoreThanTheWindowOrTheTrainingSetIsOfUse()
    {
        const MemoryFit fit = fitOfSamples(1000); // of 1,000
        Experiment experiment;
        experiment.batch.effective = BatchNumber::given(512);
        experiment.batch.micro = BatchNumber::given(32);
        QCOMPARE(usefulMicro(fit, solveBatch(experiment).plan), 512);
        experiment.batch.effective = BatchNumber::given(4096);
        QCOMPARE(usefulMicro(fit, solveBatch(experiment).plan), 1000);
        experiment.batch = {};
        experiment.batch.schedule = { { StepsFrom::Unit::Epoch, 0, 2 },
            { StepsFrom::Unit::Epoch, 3, 4 } };
        QCOMPARE(usefulMicro(fit, solveBatch(experiment).plan), 1000);
    }

    void cardsSayWhoseMemoryTheyAreComputedFrom()
    {
        MemoryFit fit = fitOfSamples(1000);
        fit.device = "cpu";
        QCOMPARE(sourceOfCards(fit).english(),
            std::string("Computed from the CPU's memory; a GPU also needs memory for its context "
                        "and cuDNN workspaces."));
        fit.device = "cuda:0";
        fit.deviceName = "NVIDIA H100";
        fit.outsideBytes = 520 << 20;
        QCOMPARE(sourceOfCards(fit).english(),
            std::string("Computed from the memory of cuda:0, NVIDIA H100; its context and other "
                        "programs, 520 MiB, are included for every card."));
    }

    // A window of 32 micro-batches takes longer than one of a single one.
    void theTimeLeftIsThatOfTheSamplesLeft()
    {
        QVERIFY(!secondsLeft({ .micro = 16, .ofWindows = 18, .ofSamples = 1000 }, 3));
        QCOMPARE(
            secondsLeft({ .windows = 1, .ofWindows = 2, .samples = 250, .ofSamples = 1000 }, 3),
            std::optional(9.0));
        QCOMPARE(secondsLeft({ .windows = 1, .ofWindows = 2 }, 3), std::optional(3.0));
        QVERIFY(!secondsLeft({ .windows = 1 }, 3)); // of how many?
    }
};

QTEST_GUILESS_MAIN(TestDoorMemoryFit)
#include "tst_memory_fit.moc"
