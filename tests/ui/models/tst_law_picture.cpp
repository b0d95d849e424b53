// SPDX-License-Identifier: Apache-2.0
#include "ui/models/law_picture.h"

#include <QTest>

#include <algorithm>

using namespace accrue;

namespace {

constexpr std::int64_t kMiB = std::int64_t { 1 } << 20;

// 4 MB and 72,136 bytes per sample in backward; the forward pass and the evaluation beside it.
MemoryFit example()
{
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 32, 64, 128, 256 }) {
        const std::int64_t peak = 4'000'000 + 72'136 * micro;
        points.push_back({ MemoryPhase::Forward, micro, peak - 1'000'000 });
        points.push_back({ MemoryPhase::Backward, micro, peak + (micro == 64 ? 4096 : 0) });
        points.push_back({ MemoryPhase::Evaluation, micro, 2 * peak });
    }
    MemoryFit fit;
    fit.law = fitMemoryLaw(std::move(points), /*granularity=*/64);
    fit.trainSamples = 60'000;
    fit.totalBytes = std::int64_t { 8 } << 30;
    fit.device = "cpu";
    return fit;
}

// b 32 of a window of the whole training set, if no other is requested.
Experiment asking(std::int64_t budget = 0, std::int64_t effective = 60'000)
{
    Experiment experiment;
    experiment.batch.effective = BatchNumber::given(effective);
    experiment.batch.micro = BatchNumber::given(32);
    if (budget > 0)
        experiment.memory.budget = Bytes { budget };
    return experiment;
}

LawPicture lawPictureOf(const MemoryFit& fit, const Experiment& experiment)
{
    return lawPictureOf(LawQuestion { experiment, solveBatch(experiment).plan, {}, fit });
}

CardAnswer answerFor(const MemoryFit& fit, const Experiment& experiment)
{
    return answerFor(LawQuestion { experiment, solveBatch(experiment).plan, {}, fit });
}

CardAnswer answerFor(const MemoryFit& fit, const Experiment& experiment, std::int64_t bytes)
{
    return answerFor(fit, solveBatch(experiment).plan, bytes);
}

} // namespace

class TestLawPicture : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatWasMeasuredIsThePeakOfTheWindow()
    {
        const MemoryFit fit = example();
        const LawPicture picture = lawPictureOf(fit, asking(64 * kMiB));
        QCOMPARE(picture.measured.size(), std::size_t { 4 });
        QVERIFY((picture.measured[1] == SeriesPoint { 64, 4'000'000 + 72'136 * 64 + 4096 }));
    }

    void theLineIsTheLawAndGoesOnBeyondWhatWasMeasured()
    {
        const MemoryFit fit = example();
        const LawPicture picture = lawPictureOf(fit, asking(64 * kMiB));
        QCOMPARE(picture.below.front().x, 1.0);
        QCOMPARE(picture.below.back(), picture.within.front());
        QCOMPARE(picture.within.front().x, 32.0);
        QCOMPARE(picture.within.back().x, 256.0);
        QCOMPARE(picture.within.back(), picture.beyond.front());
        QVERIFY(picture.beyond.back().x > static_cast<double>(picture.card.micro));
        for (const auto* part : { &picture.below, &picture.within, &picture.beyond })
            for (const SeriesPoint& point : *part)
                QCOMPARE(point.y,
                    static_cast<double>(fit.law.peakAt(static_cast<std::int64_t>(point.x))));
    }

    void theBandIsThatOfTheLaw()
    {
        const MemoryFit fit = example();
        const LawPicture picture = lawPictureOf(fit, asking(64 * kMiB));
        QVERIFY(!picture.band.empty());
        for (const LawPicture::Band& band : picture.band) {
            const auto micro = static_cast<std::int64_t>(band.micro);
            QCOMPARE((band.high - band.low) / 2, fit.law.bandAt(micro).value());
            QCOMPARE((band.high + band.low) / 2, static_cast<double>(fit.law.peakAt(micro)));
        }
    }

    void twoPointsHaveNoBand()
    {
        MemoryFit fit = example();
        fit.law = fitMemoryLaw(
            { { MemoryPhase::Backward, 32, 1 << 20 }, { MemoryPhase::Backward, 64, 1 << 21 } }, 64);
        QVERIFY(lawPictureOf(fit, asking()).band.empty());
    }

    void aBudgetIsTheCardAndOtherwiseTheDevice()
    {
        const MemoryFit fit = example();
        const LawPicture budget = lawPictureOf(fit, asking(64 * kMiB));
        QCOMPARE(budget.card.bytes, 64 * kMiB);
        QCOMPARE(budget.limitBytes, 64 * kMiB);
        QVERIFY(fit.law.peakAt(budget.card.micro) <= 64 * kMiB);
        QVERIFY(fit.law.peakAt(budget.card.micro + 1) * 51 / 50 > 64 * kMiB); // with its margin
        QCOMPARE(lawPictureOf(fit, asking()).limitBytes, fit.totalBytes);
    }

    void whatOthersHoldOfACardIsNotForTheRun()
    {
        MemoryFit fit = example();
        const std::int64_t alone = answerFor(fit, asking(), 64 * kMiB).micro;
        fit.outsideBytes = 10 * kMiB;
        const LawPicture picture = lawPictureOf(fit, asking(64 * kMiB));
        QCOMPARE(picture.limitBytes, 54 * kMiB);
        QVERIFY(picture.card.micro < alone);
    }

    void aProofCountsForItsBudgetOnly()
    {
        MemoryFit fit = example();
        fit.proof = MemoryProof { 64 * kMiB, 800, 63 * kMiB, false };
        const CardAnswer proved { 64 * kMiB, 800, /*proved=*/true, /*isAll=*/false };
        QCOMPARE(answerFor(fit, asking(), 64 * kMiB), proved);
        QVERIFY(!answerFor(fit, asking(), 65 * kMiB).proved);
        QVERIFY(answerFor(fit, asking(), 65 * kMiB).micro > 800);
    }

    void theWholeTrainingSetIsTheMost()
    {
        const CardAnswer answer = answerFor(example(), asking());
        QCOMPARE(answer.micro, std::int64_t { 60'000 });
        QVERIFY(answer.isAll);
        QVERIFY(!answer.proved);
    }

    void whatDoesNotFitHasNoMicroBatch()
    {
        const LawPicture picture = lawPictureOf(example(), asking(3'000'000));
        QCOMPARE(picture.card.micro, std::int64_t { 0 });
        QVERIFY(!picture.card.isAll);
        QVERIFY(picture.last > 256); // still shows the largest size that fits
    }

    // There the memory model would be a flat line at the bottom.
    void aFarLimitIsNotDrawn()
    {
        QVERIFY(lawPictureOf(example(), asking(64 * kMiB)).limitIsNear);
        const LawPicture far = lawPictureOf(example(), asking(0, /*effective=*/128));
        QVERIFY(!far.limitIsNear);
        QVERIFY(!far.logarithmic);
        QVERIFY(far.last < 400);
    }

    void whatFitsFarBeyondIsDrawnLogarithmically()
    {
        QVERIFY(!lawPictureOf(example(), asking(64 * kMiB)).logarithmic);
        QVERIFY(lawPictureOf(example(), asking()).logarithmic);
    }

    void aPredictionIsNoMoreThanTheEffectiveBatch()
    {
        const CardAnswer answer = answerFor(example(), asking(0, 128), std::int64_t { 4 } << 30);
        QCOMPARE(answer.micro, std::int64_t { 128 });
        QVERIFY(answer.isWindow && !answer.isAll && !answer.extrapolated);
        MemoryFit fit = example();
        fit.proof = MemoryProof { 64 * kMiB, 800, 63 * kMiB, false };
        const CardAnswer proved = answerFor(fit, asking(64 * kMiB, 128));
        QCOMPARE(proved.micro, std::int64_t { 800 }); // a fact
        QVERIFY(proved.proved && !proved.isWindow);
    }
};

QTEST_GUILESS_MAIN(TestLawPicture)
#include "tst_law_picture.moc"
