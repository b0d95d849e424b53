// SPDX-License-Identifier: Apache-2.0
#include "ui/models/memory_words.h"

#include "tests/ui/models/run_records.h"

#include <QSet>
#include <QTest>

#include <cmath>

using namespace accrue;

namespace {

// Contrast as WCAG defines it.
double luminance(const QColor& color)
{
    const auto linear = [](double channel) {
        return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double one = luminance(a) + 0.05;
    const double other = luminance(b) + 0.05;
    return std::max(one, other) / std::min(one, other);
}

constexpr std::int64_t kMiB = std::int64_t { 1 } << 20;

PhaseMemory phase(MemoryPhase which, std::int64_t begin, std::int64_t peak)
{
    PhaseMemory memory;
    memory.phase = which;
    memory.beginBytes = begin;
    memory.peakBytes = peak;
    return memory;
}

MemoryMeasured windowWith(std::int64_t constant)
{
    MemoryMeasured measured;
    measured.phases = { phase(MemoryPhase::Forward, constant, 8 * kMiB),
        phase(MemoryPhase::Evaluation, constant, 20 * kMiB) };
    return measured;
}

} // namespace

class TestMemoryWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCategoryIsExplainedInOneSentence()
    {
        QSet<QString> meanings;
        for (std::size_t i = 0; i < kMemoryCategories; ++i) {
            const auto category = static_cast<MemoryCategory>(i);
            const QString meaning = categoryMeaning(category);
            QVERIFY2(meaning.startsWith(categoryTitle(category) + QStringLiteral(": ")),
                qPrintable(meaning));
            QCOMPARE(meaning.count(QLatin1Char('.')), meaning.endsWith(QLatin1Char('.')) ? 1 : 0);
            meanings.insert(meaning);
        }
        QCOMPARE(meanings.size(), qsizetype { kMemoryCategories });
    }

    void everyCategoryHasAColorOfItsOwnOnBothGrounds()
    {
        const QColor grounds[] = { QColor(255, 255, 255), QColor(30, 32, 36) };
        for (const Background background : { Background::Light, Background::Dark }) {
            QSet<QRgb> colors;
            for (std::size_t i = 0; i < kMemoryCategories; ++i) {
                const QColor color = categoryColor(static_cast<MemoryCategory>(i), background);
                colors.insert(color.rgb());
                const double against =
                    contrast(color, grounds[background == Background::Dark ? 1 : 0]);
                QVERIFY2(against >= 3, qPrintable(QString::number(against)));
            }
            QCOMPARE(colors.size(), qsizetype { kMemoryCategories });
        }
    }

    void onADarkGroundTheGreysAreNotTheBrightest()
    {
        for (const MemoryCategory grey : { MemoryCategory::Workspace, MemoryCategory::DataSet })
            for (std::size_t i = 0; i < kMemoryCategories; ++i) {
                const QColor color =
                    categoryColor(static_cast<MemoryCategory>(i), Background::Dark);
                if (color.hsvSaturation() > 80) // a hue
                    QVERIFY2(luminance(categoryColor(grey, Background::Dark)) < luminance(color),
                        qPrintable(categoryTitle(static_cast<MemoryCategory>(i))));
            }
        QVERIFY(contrast(categoryColor(MemoryCategory::Workspace, Background::Dark),
                    categoryColor(MemoryCategory::DataSet, Background::Dark))
            > 1.3); // told apart
    }

    void aPhaseSaysItsMicroBatchAndSamples()
    {
        QCOMPARE(phaseText({ .phase = MemoryPhase::Forward, .microBatch = 2, .samples = 32 }),
            QStringLiteral("forward of micro-batch 2, 32 samples"));
        QCOMPARE(phaseText({ .phase = MemoryPhase::Optimizer, .samples = 1 }),
            QStringLiteral("step, 1 sample"));
    }

    void theHighestPeakIsNamed()
    {
        MemoryMeasured window;
        QVERIFY(highestPeakText(window).isEmpty());
        window.phases = { { .phase = MemoryPhase::Forward, .peakBytes = 1024 },
            { .phase = MemoryPhase::Backward, .microBatch = 1, .samples = 8, .peakBytes = 2048 } };
        QCOMPARE(highestPeakText(window),
            QStringLiteral("Highest peak 2.00 KiB in backward of micro-batch 1, 8 samples"));
    }

    void aWindowSaysWhereItHasFewerSamples()
    {
        const BatchPlan plan { .effective = 128 };
        QVERIFY(tailText({}, plan).isEmpty());
        MemoryMeasured window;
        window.phases = { { .phase = MemoryPhase::Backward, .microBatch = 1, .samples = 32 },
            { .phase = MemoryPhase::Optimizer, .samples = 128 } };
        QVERIFY(tailText(window, plan).isEmpty());
        window.phases.back().samples = 96;
        QCOMPARE(tailText(window, plan), QStringLiteral("this window 96 of 128 samples"));
    }

    void aWindowSaysForWhichStepsItStands()
    {
        const std::vector<std::int64_t> steps { 1, 469, 470 };
        QCOMPARE(validityText(steps, 0), QStringLiteral("Steps 1 to 468"));
        QCOMPARE(validityText(steps, 1), QStringLiteral("Step 469"));
        QCOMPARE(validityText(steps, 2), QStringLiteral("From step 470 on"));
    }

    void anEvaluationIsLeftOut()
    {
        QCOMPARE(withoutEvaluation(windowWith(0)).phases.size(), std::size_t { 1 });
    }

    void muchThatStaysIsMostlyConstant()
    {
        QVERIFY(isMostlyConstant(withoutEvaluation(windowWith(7 * kMiB))));
        QVERIFY(!isMostlyConstant(withoutEvaluation(windowWith(5 * kMiB))));
        QVERIFY(!isMostlyConstant({}));
    }

    void theSummaryNamesTheEvaluationThatIsNotDrawn()
    {
        const RunRecord run = recordOf(1);
        QVERIFY(windowSummary(windowWith(0), run, false)
                    .contains(QLatin1String("evaluation 20.0 MiB")));
        QVERIFY(!windowSummary(windowWith(0), run, true).contains(QLatin1String("; evaluation")));
    }

    void theSummaryNamesTheBatchInForceAndTheBudget()
    {
        RunRecord run = recordOf(1);
        run.cutMicro = 8;
        run.experiment.memory.budget = Bytes { 64 * kMiB };
        const QString text = windowSummary(windowWith(0), run, true);
        QVERIFY2(text.contains(QLatin1String("reduced from b 32")), qPrintable(text));
        QVERIFY2(text.endsWith(QLatin1String("budget 64.0 MiB")), qPrintable(text));
    }

    void theTitleSaysWhatIsDrawn()
    {
        const WindowExcerpt all = excerptOf(windowWith(0), 24);
        QCOMPARE(windowCaption(all, 0, Metering::Window),
            QStringLiteral("Memory in one window, each phase at its peak"));
        QVERIFY(windowCaption(all, kMiB, Metering::Window)
                    .startsWith(QLatin1String("Transient memory (+ 1.00 MiB constant)")));
        QVERIFY(windowCaption(all, 0, Metering::Full).endsWith(QLatin1String("every micro-batch")));
    }
};

QTEST_GUILESS_MAIN(TestMemoryWords)
#include "tst_memory_words.moc"
