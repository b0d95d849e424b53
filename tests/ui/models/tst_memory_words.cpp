// SPDX-License-Identifier: Apache-2.0
#include "ui/models/memory_words.h"

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

} // namespace

class TestMemoryWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCategoryIsExplainedInOneSentence()
    {
        QSet<QString> meanings { cachedMemory().meaning, othersMemory().meaning };
        for (std::size_t i = 0; i < kMemoryCategories; ++i) {
            const auto category = static_cast<MemoryCategory>(i);
            const QString meaning = categoryMeaning(category);
            QVERIFY2(meaning.startsWith(categoryTitle(category) + QStringLiteral(": ")),
                qPrintable(meaning));
            QCOMPARE(meaning.count(QLatin1Char('.')), meaning.endsWith(QLatin1Char('.')) ? 1 : 0);
            meanings.insert(meaning);
        }
        QCOMPARE(meanings.size(), qsizetype { kMemoryCategories + 2 });
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
};

QTEST_GUILESS_MAIN(TestMemoryWords)
#include "tst_memory_words.moc"
