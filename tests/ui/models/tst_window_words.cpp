// SPDX-License-Identifier: Apache-2.0
#include "ui/models/window_words.h"

#include "tests/ui/models/run_records.h"

#include <QTest>

using namespace accrue;

namespace {

constexpr std::int64_t kMiB = std::int64_t { 1 } << 20;

PhaseMemory phase(MemoryPhase which, std::int64_t begin, std::int64_t peak)
{
    PhaseMemory memory;
    memory.phase = which;
    memory.beginBytes = begin;
    memory.peakBytes = peak;
    return memory;
}

MemoryMeasured window(std::int64_t constant)
{
    MemoryMeasured measured;
    measured.phases = { phase(MemoryPhase::Forward, constant, 8 * kMiB),
        phase(MemoryPhase::Evaluation, constant, 20 * kMiB) };
    return measured;
}

} // namespace

class TestWindowWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEvaluationIsLeftOut()
    {
        QCOMPARE(withoutEvaluation(window(0)).phases.size(), std::size_t { 1 });
    }

    void muchThatStaysIsMostlyConstant()
    {
        QVERIFY(isMostlyConstant(withoutEvaluation(window(7 * kMiB))));
        QVERIFY(!isMostlyConstant(withoutEvaluation(window(5 * kMiB))));
        QVERIFY(!isMostlyConstant({}));
    }

    void theSummaryNamesTheEvaluationThatIsNotDrawn()
    {
        const RunRecord run = recordOf(1);
        QVERIFY(
            windowSummary(window(0), run, false).contains(QLatin1String("evaluation 20.0 MiB")));
        QVERIFY(!windowSummary(window(0), run, true).contains(QLatin1String("; evaluation")));
    }

    void theSummaryNamesTheBatchInForceAndTheBudget()
    {
        RunRecord run = recordOf(1);
        run.cutMicro = 8;
        run.experiment.memory.budget = Bytes { 64 * kMiB };
        const QString text = windowSummary(window(0), run, true);
        QVERIFY2(text.contains(QLatin1String("reduced from b 32")), qPrintable(text));
        QVERIFY2(text.endsWith(QLatin1String("budget 64.0 MiB")), qPrintable(text));
    }

    void theTitleSaysWhatIsDrawn()
    {
        const WindowExcerpt all = excerptOf(window(0), 24);
        QCOMPARE(windowCaption(all, 0, Metering::Window),
            QStringLiteral("Memory in one window, each phase at its peak"));
        QVERIFY(windowCaption(all, kMiB, Metering::Window)
                    .startsWith(QLatin1String("Transient memory (+ 1.00 MiB constant)")));
        QVERIFY(windowCaption(all, 0, Metering::Full).endsWith(QLatin1String("every micro-batch")));
    }
};

QTEST_GUILESS_MAIN(TestWindowWords)
#include "tst_window_words.moc"
