// SPDX-License-Identifier: Apache-2.0
#include "ui/models/law_words.h"

#include <QTest>

#include <cmath>

#include "engine/base/format.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"

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

// b 32, without a budget if that is 0.
Experiment asking(std::int64_t budget, std::int64_t effective)
{
    Experiment experiment;
    experiment.batch.effective = BatchNumber::given(effective);
    experiment.batch.micro = BatchNumber::given(32);
    if (budget > 0)
        experiment.memory.budget = Bytes { budget };
    return experiment;
}

QString plain(QString text)
{
    return text.replace(QChar(0x202f), QLatin1Char(' '));
}

QString verdictText(const MemoryFit& fit, const Experiment& experiment)
{
    return verdictText(LawQuestion { experiment, solveBatch(experiment).plan, {}, fit });
}

QString fastestText(const MemoryFit& fit, const Experiment& experiment)
{
    return fastestText(LawQuestion { experiment, solveBatch(experiment).plan, {}, fit });
}

QString cardsSentence(const MemoryFit& fit, const Experiment& experiment)
{
    return cardsSentence(fit, solveBatch(experiment).plan);
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
        experiment.run.precision = Precision::Float16;
        QVERIFY(
            lawSubject(experiment, "cuda:0").endsWith(QStringLiteral("AdamW, float16 on cuda:0")));
    }

    void aLawNamesEachNormAsTheFormDoes()
    {
        Experiment experiment;
        const KeyInfo& norm = *findKey(key::modelNorm);
        for (std::size_t i = 1; i < norm.choices.size(); ++i) {
            experiment.model.norm = static_cast<Norm>(i);
            QCOMPARE(lawSubject(experiment, "cpu"),
                QStringLiteral("LeNet-5, %1, SGD on cpu")
                    .arg(QString::fromStdString(titleOf(norm, norm.choices[i]))));
        }
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
            QStringLiteral("window 6, micro-batch of 812 samples, at the limit of the budget"));
        QCOMPARE(fitProgressText({ .micro = 64, .windows = 5, .timing = true }),
            QStringLiteral("window 6, speed of micro-batches of 64 samples"));
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
        QCOMPARE(later.timeLeft, QStringLiteral("about 4.5 s left"));
        QVERIFY(progressOf({ .micro = 64, .windows = 9 }, 4.5).percent.isEmpty()); // of how many?
        const ShownProgress bySamples =
            progressOf({ .windows = 9, .ofWindows = 18, .samples = 100, .ofSamples = 400 }, 4.5);
        QCOMPARE(bySamples.percent, QStringLiteral("25 %"));
        QCOMPARE(bySamples.timeLeft, QStringLiteral("about 0:14 left"));
    }

    void theVerdictSaysHowItIsKnown_data()
    {
        QTest::addColumn<qlonglong>("budget"); // 0: none
        QTest::addColumn<qlonglong>("proved"); // micro-batch; 0: none
        QTest::addColumn<QString>("text");
        QTest::newRow("predicted for the device")
            << 0LL << 0LL
            << QStringLiteral(
                   "Micro-batches of up to 128 437 samples fit the 8.00 GiB of cpu: predicted, "
                   "with a 2 % margin.");
        QTest::newRow("predicted for a budget")
            << qlonglong { kGiB } << 0LL
            << QStringLiteral(
                   "Micro-batches of up to 15 998 samples fit the budget of 1.00 GiB: predicted, "
                   "with a 2 % margin.");
        QTest::newRow("within what was measured")
            << 16'000'000LL << 0LL
            << QStringLiteral(
                   "Micro-batches of up to 180 samples fit the budget of 15.3 MiB: predicted.");
        QTest::newRow("proved") << qlonglong { kGiB } << 16'300LL
                                << QStringLiteral("Micro-batches of up to 16 300 samples fit the "
                                                  "budget of 1.00 GiB: verified with a real "
                                                  "window; one sample more ran out of memory.");
        QTest::newRow("the whole training set")
            << qlonglong { 100 * kGiB } << 0LL
            << QStringLiteral("The whole training set, 1 000 000 samples, would fit the budget of "
                              "100 GiB as one micro-batch: predicted, with a 2 % margin.");
        QTest::newRow("nothing fits")
            << 4'000'000LL << 0LL
            << QStringLiteral("No micro-batch fits the budget of 3.81 MiB: with 1 sample, a "
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
        QCOMPARE(plain(verdictText(fit, asking(budget, 1'000'000))), text);
    }

    void theVerdictNamesTheMeasuredNeedOfTheSmallest()
    {
        MemoryFit fit = example();
        fit.leastBytes = 6 << 20;
        QVERIFY(verdictText(fit, asking(5 << 20, 128))
                    .endsWith(QStringLiteral("with 1 sample, a window needs 6.00 MiB.")));
    }

    // No window has a larger micro-batch.
    void theEffectiveBatchIsTheMostThatIsPredicted()
    {
        QCOMPARE(plain(verdictText(example(), asking(kGiB, 512))),
            QStringLiteral("The whole effective batch, 512 samples, would fit the budget of 1.00 "
                           "GiB as one micro-batch: predicted, with a 2 % margin."));
        QCOMPARE(plain(verdictText(example(), asking(kGiB, 128))),
            QStringLiteral("The whole effective batch, 128 samples, would fit the budget of 1.00 "
                           "GiB as one micro-batch: predicted."));
    }

    void cardsThatAllTakeEverythingAreOneSentence()
    {
        QCOMPARE(plain(cardsSentence(example(), asking(0, 512))),
            QStringLiteral(
                "The whole effective batch, 512 samples, fits a card of 4 GiB, and any larger "
                "one, as one micro-batch: it needs 36.7 MiB. To try a smaller card, type its size "
                "above, such as 128MiB."));
        QVERIFY(cardsSentence(example(), asking(0, 1'000'000)).isEmpty());
        MemoryFit small = example();
        small.trainSamples = 300;
        QVERIFY(cardsSentence(small, asking(0, 512))
                    .contains(QStringLiteral("The whole training set, 300 samples,")));
    }

    void cardsSayWhatTheyWereComputedFrom()
    {
        QCOMPARE(cardsSource(example()),
            QStringLiteral("Computed from the CPU's memory; a GPU also needs memory for its "
                           "context and cuDNN workspaces. Beyond b = 256 memory is predicted, not "
                           "measured; a 2 % "
                           "margin is included."));
    }

    void theFastestSplitIsNamedWithItsUncertainty()
    {
        MemoryFit fit = example();
        QVERIFY(fastestText(fit, asking(0, 128)).startsWith(QStringLiteral("Speed was not")));
        fit.speeds = { { 32, 4000, 40 }, { 64, 5000, 50 }, { 128, 4900, 20 } };
        fit.speedThreads = 1;
        QCOMPARE(plain(fastestText(fit, asking(0, 128))),
            QStringLiteral("Fastest measured split of B = 128: b = 64 × N 2, 5 000 img/s ± 1 %; "
                           "the recipe's b = 32 × N 4, 4 000 img/s ± 1 %."));
        fit.speeds[0].samplesPerSecond = 4950;
        QCOMPARE(plain(fastestText(fit, asking(0, 128))),
            QStringLiteral("Fastest measured split of B = 128: b = 32 × N 4, 4 950 img/s ± 1 %, "
                           "the recipe's; no other is faster by more than the variation of the "
                           "speeds."));
        fit.speeds = { { 32, 3000, 10 }, { 64, 4950, 50 }, { 128, 5000, 50 } };
        QCOMPARE(plain(fastestText(fit, asking(0, 128))),
            QStringLiteral("Fastest measured split of B = 128: b = 64 × N 2, 4 950 img/s ± 1 %; "
                           "the recipe's b = 32 × N 4, 3 000 img/s ± 0 %. Among those whose "
                           "speeds differ by less than their variation, it needs the least "
                           "memory."));
        QCOMPARE(fastestText(fit, asking(0, 16)),
            QStringLiteral("No micro-batch for the form's B was timed."));
    }

    void theLawIsAFormulaWithItsRange()
    {
        QCOMPARE(lawText(example()),
            QStringLiteral("Peak = 4.00 MiB + 64.0 KiB · b (backward), measured from b = 32 to "
                           "256. The model equals all 4 measurements exactly."));
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
        QVERIFY2(text.startsWith(QStringLiteral("Peak = maximum of 8.00 MiB + 1.00 KiB · b "
                                                "(forward), 4.00 MiB + 64.0 KiB · b (backward)")),
            qPrintable(text));
    }

    void aCardsAnswerIsTheMicroBatchOrNo()
    {
        QCOMPARE(cardTitle(12 * kGiB), QStringLiteral("12 GiB"));
        QCOMPARE(cardAnswerText({ 4 * kGiB, 0, false, false }), QStringLiteral("no"));
        QCOMPARE(cardAnswerText({ 4 * kGiB, 812, false, false }), QStringLiteral("812"));
        QCOMPARE(cardAnswerText({ 4 * kGiB, 812, true, false }), QStringLiteral("812, verified"));
        QCOMPARE(
            cardAnswerText({ 4 * kGiB, 900, false, true }), QStringLiteral("900, all samples"));
        QCOMPARE(
            cardAnswerText({ 4 * kGiB, 128, false, false, true }), QStringLiteral("128, all of B"));
    }
};

QTEST_GUILESS_MAIN(TestLawWords)
#include "tst_law_words.moc"
