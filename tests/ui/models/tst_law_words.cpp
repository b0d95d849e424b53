// SPDX-License-Identifier: Apache-2.0
#include "ui/models/law_words.h"

#include <QTest>

#include <cmath>

#include "engine/experiment/format.h"

using namespace accrue;

namespace {

constexpr std::int64_t kGiB = std::int64_t { 1 } << 30;

MemoryFit example()
{
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 32, 64, 128, 256 })
        points.push_back({ MemoryPhase::Backward, micro, (4 << 20) + (64 << 10) * micro });
    MemoryFit fit;
    fit.law = fitMemoryLaw(std::move(points), /*granularity=*/64);
    fit.trainSamples = 1'000'000;
    fit.totalBytes = 8 * kGiB;
    fit.device = "cpu";
    return fit;
}

} // namespace

class TestLawWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLawIsAboutModelNormAndOptimizer()
    {
        Experiment experiment;
        QCOMPARE(lawSubject(experiment, "cpu"), QStringLiteral("LeNet-5, no norm, SGD on cpu"));
        experiment.model.name = ModelName::ResNet18;
        experiment.model.norm = Norm::Group;
        experiment.optimizer.name = OptimizerName::AdamW;
        experiment.run.precision = Precision::BFloat16;
        QCOMPARE(lawSubject(experiment, "cuda:0"),
            QStringLiteral("ResNet-18, GroupNorm, AdamW, bfloat16 on cuda:0"));
    }

    void progressNamesTheWindowThatIsComputed()
    {
        QCOMPARE(fitProgressText({ .micro = 128, .windows = 2 }),
            QStringLiteral("window 3, micro-batch of 128 samples"));
        QCOMPARE(fitProgressText({ .micro = 1, .windows = 0, .ofWindows = 7 }),
            QStringLiteral("window 1 of about 7, micro-batch of 1 sample"));
        QCOMPARE(fitProgressText({ .micro = 32, .steps = 4, .windows = 8 }),
            QStringLiteral("window 9, 4 micro-batches of 32 samples"));
        QCOMPARE(fitProgressText({ .micro = 812, .windows = 5, .proving = true }),
            QStringLiteral("window 6, micro-batch of 812 samples, at the border of the budget"));
    }

    void progressOfAFitIsThatOfItsWindows()
    {
        const ShownProgress first = progressOf({ .micro = 16, .ofWindows = 18 }, 0);
        QCOMPARE(first.steps, QStringLiteral("window 1 of about 18"));
        QCOMPARE(first.share, 0.0);
        QCOMPARE(first.timeLeft, QStringLiteral("estimating"));
        const ShownProgress later = progressOf({ .micro = 64, .windows = 9, .ofWindows = 18 }, 4.5);
        QCOMPARE(later.steps, QStringLiteral("window 10 of about 18"));
        QCOMPARE(later.percent, QStringLiteral("50 %"));
        QCOMPARE(later.secondsLeft, std::optional(4.5));
        QCOMPARE(later.timeLeft, QStringLiteral("about 4.5 s left"));
        QVERIFY(progressOf({ .micro = 64, .windows = 9 }, 4.5).percent.isEmpty()); // of how many?
    }

    void theVerdictSaysHowItIsKnown_data()
    {
        QTest::addColumn<qlonglong>("budget"); // 0: none
        QTest::addColumn<qlonglong>("proved"); // micro-batch; 0: none
        QTest::addColumn<QString>("text");
        QTest::newRow("predicted for the device")
            << 0LL << 0LL
            << QStringLiteral(
                   "Micro-batches of up to 131 008 samples fit the 8.00 GiB of cpu: predicted.");
        QTest::newRow("predicted for a budget")
            << qlonglong { kGiB } << 0LL
            << QStringLiteral(
                   "Micro-batches of up to 16 320 samples fit the budget of 1.00 GiB: predicted.");
        QTest::newRow("proved") << qlonglong { kGiB } << 16'300LL
                                << QStringLiteral("Micro-batches of up to 16 300 samples fit the "
                                                  "budget of 1.00 GiB: proved by a real "
                                                  "window; one sample more was refused.");
        QTest::newRow("the whole training set")
            << qlonglong { 100 * kGiB } << 0LL
            << QStringLiteral("The whole training set, 1 000 000 samples, would fit the budget of "
                              "100 GiB as one micro-batch: predicted.");
        QTest::newRow("nothing fits")
            << 4'000'000LL << 0LL
            << QStringLiteral("Not one micro-batch fits the budget of 3.81 MiB: with 1 sample a "
                              "window needs 4.06 "
                              "MiB.");
    }
    void theVerdictSaysHowItIsKnown()
    {
        QFETCH(qlonglong, budget);
        QFETCH(qlonglong, proved);
        QFETCH(QString, text);
        MemoryFit fit = example();
        if (proved > 0)
            fit.proof = MemoryProof { budget, proved, budget - 1, false };
        const auto asked = budget > 0 ? std::optional(Bytes { budget }) : std::nullopt;
        QCOMPARE(verdictText(fit, asked).replace(QChar(0x202f), QLatin1Char(' ')), text);
    }

    void theLawIsAFormulaWithItsRange()
    {
        QCOMPARE(lawText(example()),
            QStringLiteral("Peak = 4.00 MiB + 64.0 KiB · b (backward), measured from b = 32 to "
                           "256; every window lies on it."));
    }

    void aBandIsToldWhereThereIsOne()
    {
        MemoryFit fit = example();
        std::vector<MemoryPoint> points = fit.law.points;
        points.at(1).peakBytes += 8192;
        fit.law = fitMemoryLaw(std::move(points), 16'384);
        const QString text = lawText(fit);
        const QString band =
            QString::fromStdString(formatBytes(std::llround(fit.law.bandAt(256).value())));
        QVERIFY2(text.endsWith(QStringLiteral("at b = 256 within ± %1 (95 %).").arg(band)),
            qPrintable(text));
    }

    void severalLinesAreNamedInTurn()
    {
        MemoryFit fit = example();
        std::vector<MemoryPoint> points = fit.law.points;
        for (const std::int64_t micro : { 32, 64, 128, 256 })
            points.push_back({ MemoryPhase::Forward, micro, (8 << 20) + (1 << 10) * micro });
        fit.law = fitMemoryLaw(std::move(points), 64);
        const QString text = lawText(fit);
        QVERIFY2(text.startsWith(QStringLiteral("Peak = the greatest of 8.00 MiB + 1.00 KiB · b "
                                                "(forward), 4.00 MiB + 64.0 KiB · b (backward)")),
            qPrintable(text));
    }

    void aCardsAnswerIsTheMicroBatchOrNo()
    {
        QCOMPARE(cardTitle(12 * kGiB), QStringLiteral("12 GiB"));
        QCOMPARE(cardAnswerText({ 4 * kGiB, 0, false, false }), QStringLiteral("no"));
        QCOMPARE(cardAnswerText({ 4 * kGiB, 812, false, false }), QStringLiteral("812"));
        QCOMPARE(cardAnswerText({ 4 * kGiB, 812, true, false }), QStringLiteral("812, proved"));
        QCOMPARE(
            cardAnswerText({ 4 * kGiB, 900, false, true }), QStringLiteral("900, all samples"));
    }
};

QTEST_GUILESS_MAIN(TestLawWords)
#include "tst_law_words.moc"
